import type { Character } from "@plumb/protocol/wire/agents";
import { Link } from "wouter";
import { agentPath } from "../../engine/reactions.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import rows from "../../ui/dialog-rows.module.css";
import { IconButton } from "../../ui/icon-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { PersonaAvatar } from "./persona-avatar.tsx";
import styles from "./persona-list.module.css";

interface PersonaListProps {
  onEdit: (persona: Character) => void;
  onDelete: (persona: Character) => void;
  /** A chat with one is opened. */
  onLeave: () => void;
}

/** The id of the link to a chat with a persona: where the focus goes when it was written. */
export const chatElementId = (id: string): string => `chat-with-${id}`;

/** The user's personas, with what can be done with each. */
export function PersonaList({ onEdit, onDelete, onLeave }: PersonaListProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const characters = useSelector(engine.agents.store, (state) => state.characters);
  const failed = useSelector(engine.agents.store, (state) => state.failed);
  if (characters === null) {
    return failed ? (
      <div className={rows.state} role="alert">
        <p>{t("persona.loadFailed")}</p>
        <Button onClick={() => void engine.agents.load()}>{t("common.retry")}</Button>
      </div>
    ) : (
      <div className={rows.loading} role="status" aria-label={t("conversation.loading")}>
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} />
        ))}
      </div>
    );
  }
  if (characters.length === 0) return <p className={rows.state}>{t("persona.empty")}</p>;
  return (
    <ul className={rows.list}>
      {characters.map((persona) => (
        <li key={persona.id} className={rows.row}>
          <PersonaAvatar persona={persona} size="medium" />
          <div className={styles.words}>
            <div className={styles.name} dir="auto">
              {persona.name}
            </div>
            <div className={styles.about} dir="auto">
              {persona.instructions}
            </div>
          </div>
          <Link
            id={chatElementId(persona.id)}
            href={agentPath(persona.id)}
            className={styles.chat}
            aria-label={t("persona.chatWith", { name: persona.name })}
            onClick={onLeave}
          >
            {t("persona.chat")}
          </Link>
          <IconButton
            label={t("persona.editNamed", { name: persona.name })}
            tip={t("persona.edit")}
            icon="pencil"
            onClick={() => onEdit(persona)}
          />
          <IconButton
            label={t("persona.deleteNamed", { name: persona.name })}
            tip={t("common.delete")}
            icon="trash"
            onClick={() => onDelete(persona)}
          />
        </li>
      ))}
    </ul>
  );
}
