import { checkTitle } from "@plumb/protocol/rules/title-rules";
import { useRef, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { groupSessions } from "./session-groups.ts";
import { findNewChat, findRow } from "./sidebar-focus.ts";

/** The longest title in characters (requirements 0§5). */
const TITLE_MAX = 32;

/** Rename and delete of a row of the list. */
export function SessionDialogs() {
  const engine = useEngine();
  const renaming = useSelector(engine.site.overlays, (state) => state.renaming);
  const deleting = useSelector(engine.site.overlays, (state) => state.deleting);
  return (
    <>
      {renaming !== null && <RenameDialog key={renaming} sessionId={renaming} />}
      {deleting !== null && <DeleteDialog key={deleting} sessionId={deleting} />}
    </>
  );
}

function useTitle(sessionId: string): string {
  const engine = useEngine();
  return useSelector(
    engine.sessions.list,
    ({ sessions }) => sessions.find((session) => session.id === sessionId)?.title ?? "",
  );
}

function RenameDialog({ sessionId }: { sessionId: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const title = useTitle(sessionId);
  const [typed, setTyped] = useState(title);
  const [saving, setSaving] = useState(false);
  const close = () => engine.site.setOverlays({ renaming: null });

  async function save() {
    const wanted = checkTitle(typed);
    if (wanted.ok && wanted.title !== title) {
      setSaving(true);
      const saved = await engine.sessions.rename(sessionId, wanted.title);
      setSaving(false);
      if (!saved) return;
    }
    close();
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t("sidebar.renameTitle")}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form="rename-session" loading={saving}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form
        id="rename-session"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t("header.title")}
          value={typed}
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTyped([...event.target.value].slice(0, TITLE_MAX).join(""))}
          hint={`${[...typed].length} / ${TITLE_MAX}`}
        />
      </form>
    </Dialog>
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
