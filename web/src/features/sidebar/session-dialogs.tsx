import { useRef, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { groupSessions } from "./session-groups.ts";
import { findNewChat, findRow } from "./sidebar-focus.ts";

/** Asks before a row of the list is deleted. */
export function SessionDialogs() {
  const engine = useEngine();
  const deleting = useSelector(engine.site.overlays, (state) => state.deleting);
  return deleting !== null && <DeleteDialog key={deleting} sessionId={deleting} />;
}

function useTitle(sessionId: string): string {
  const engine = useEngine();
  return useSelector(
    engine.sessions.list,
    ({ sessions }) => sessions.find((session) => session.id === sessionId)?.title ?? "",
  );
}

function DeleteDialog({ sessionId }: { sessionId: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const title = useTitle(sessionId) || t("sidebar.untitled");
  const [deleting, setDeleting] = useState(false);
  const neighbour = useRef<string | null>(null);
  const close = () => engine.site.setOverlays({ deleting: null });

  async function remove() {
    setDeleting(true);
    const groups = groupSessions(engine.sessions.list.getState().sessions, Date.now());
    const shown = groups.flatMap(({ sessions }) => sessions.map(({ id }) => id));
    const at = shown.indexOf(sessionId);
    neighbour.current = shown[at + 1] ?? shown[at - 1] ?? null;
    const deleted = await engine.sessions.remove(sessionId);
    setDeleting(false);
    if (deleted) close();
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t("sidebar.deleteTitle")}
      closeLabel={t("common.close")}
      description={t("sidebar.deleteText", { title })}
      focusBack={() => findRow(sessionId)}
      focusInstead={() => findRow(neighbour.current) ?? findNewChat()}
      footer={
        <>
          <Button autoFocus onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button variant="danger" loading={deleting} onClick={() => void remove()}>
            {t("common.delete")}
          </Button>
        </>
      }
    />
  );
}
