import { regenerateBlock } from "../../../engine/turns/message-rules.ts";
import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { focusAfterAsking } from "../../../hooks/focus-after-asking.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useOfferedModels } from "../../../hooks/use-models.ts";
import { useReason } from "../../../i18n/use-reason.ts";
import { useStanding } from "../../../hooks/use-standing.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Menu } from "../../../ui/menu.tsx";
import styles from "./model-menu.module.css";

/** Which model wrote a reply, and the others to have it written again by. */
export function ModelMenu({ sessionKey, message }: { sessionKey: string; message: ClientMessage }) {
  const engine = useEngine();
  const { t } = useTexts();
  const models = useOfferedModels();
  const reason = useReason(regenerateBlock(useStanding(sessionKey), message));
  const writer = message.model === "" ? models[0] : models.find(({ id }) => id === message.model);
  // What is no longer offered is named by its id.
  const name = writer?.name ?? message.model;

  function regenerate(model: string) {
    if (reason !== null) return reason.attributes.onClick();
    void engine.turns.regenerate(sessionKey, message.message_id, model);
    focusAfterAsking();
  }
  return (
    <Menu
      label={t("conversation.regenerateWith")}
      titled
      align="start"
      items={models.map((model) => ({
        key: model.id,
        label: model.name,
        checked: model === writer,
        onSelect: () => regenerate(model.id),
      }))}
      trigger={
        <button
          type="button"
          className={styles.model}
          aria-label={t("conversation.writtenBy", { model: name })}
        >
          <span className={styles.name}>{name}</span>
          <Icon name="chevronDown" small />
        </button>
      }
    />
  );
}
