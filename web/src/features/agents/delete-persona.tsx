import type { Character } from "@plumb/protocol/wire/agents";
import { useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface DeletePersonaProps {
  persona: Character;
  onClose: () => void;
  /** Where the focus goes when the persona's own row is gone. */
  focusInstead: () => HTMLElement | null;
}

/** Asks before a persona is deleted. */
export function DeletePersona({ persona, onClose, focusInstead }: DeletePersonaProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const [deleting, setDeleting] = useState(false);

  async function remove() {
    setDeleting(true);
    const removed = await engine.agents.remove(persona.id);
    setDeleting(false);
    if (removed) onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("persona.deleteTitle")}
      closeLabel={t("common.close")}
      description={t("persona.deleteText", { name: persona.name })}
      focusInstead={focusInstead}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
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
