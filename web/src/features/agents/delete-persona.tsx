import type { Character } from "@plumb/protocol/wire/agents";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";

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
  return (
    <DeleteDialog
      title={t("persona.deleteTitle")}
      description={t("persona.deleteText", { name: persona.name })}
      closeLabel={t("common.close")}
      cancelLabel={t("common.cancel")}
      deleteLabel={t("common.delete")}
      onDelete={() => engine.agents.remove(persona.id)}
      onClose={onClose}
      focusInstead={focusInstead}
    />
  );
}
