import { useRef } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { groupSessions } from "./session-groups.ts";
import { findNewChat, findRow } from "./sidebar-focus.ts";

/** Asks before a row of the list is deleted. */
export function SessionDialogs() {
  const engine = useEngine();
  const deleting = useSelector(engine.site.overlays, (state) => state.deleting);
  return deleting !== null && <DeleteSession key={deleting} sessionId={deleting} />;
}

function useTitle(sessionId: string): string {
  const engine = useEngine();
  return useSelector(
    engine.sessions.list,
    ({ sessions }) => sessions.find((session) => session.id === sessionId)?.title ?? "",
  );
}

function DeleteSession({ sessionId }: { sessionId: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const title = useTitle(sessionId) || t("sidebar.untitled");
  const neighbour = useRef<string | null>(null);

  async function remove(): Promise<boolean> {
    const groups = groupSessions(engine.sessions.list.getState().sessions, Date.now());
    const shown = groups.flatMap(({ sessions }) => sessions.map(({ id }) => id));
    const at = shown.indexOf(sessionId);
    neighbour.current = shown[at + 1] ?? shown[at - 1] ?? null;
    return engine.sessions.remove(sessionId);
  }
  return (
    <DeleteDialog
      title={t("sidebar.deleteTitle")}
      description={t("sidebar.deleteText", { title })}
      closeLabel={t("common.close")}
      cancelLabel={t("common.cancel")}
      deleteLabel={t("common.delete")}
      onDelete={remove}
      onClose={() => engine.site.setOverlays({ deleting: null })}
      focusBack={() => findRow(sessionId)}
      focusInstead={() => findRow(neighbour.current) ?? findNewChat()}
    />
  );
}
