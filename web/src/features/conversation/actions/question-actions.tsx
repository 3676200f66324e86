import type { Ref } from "react";
import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { editBlock } from "../../../engine/turns/message-rules.ts";
import { promptOf } from "../../../engine/turns/placeholders.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useStanding } from "../../../hooks/use-standing.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { CopyButton } from "../copy-button.tsx";
import { ActionBar } from "./action-bar.tsx";
import { ActionButton } from "./action-button.tsx";
import { BranchSwitch, useBranchPlace } from "./branch-switch.tsx";
import { editBoxPart } from "./edit-box-part.ts";

interface QuestionActionsProps {
  sessionKey: string;
  message: ClientMessage;
  editButton: Ref<HTMLButtonElement>;
}

/** What can be done with a question of the user's. */
export function QuestionActions({ sessionKey, message, editButton }: QuestionActionsProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const place = useBranchPlace(sessionKey, message);
  const standing = useStanding(sessionKey);
  const approach = () => void editBoxPart.preload();
  // What was not sent stands in the composer again; an edit that was not, in the box it came from.
  const isKept = message.message_id > 0 || message.resendInfo?.scene === "edit";
  return (
    <ActionBar label={t("conversation.questionActions")} side="end" always={place !== null}>
      <CopyButton text={promptOf(message)} />
      {isKept && !standing.isReadOnly && (
        <ActionButton
          ref={editButton}
          icon="pencil"
          label={t("conversation.edit")}
          blocked={editBlock(standing, message)}
          onPointerEnter={approach}
          onFocus={approach}
          onPress={() => engine.turns.startEdit(sessionKey, message.message_id)}
        />
      )}
      {place !== null && <BranchSwitch sessionKey={sessionKey} place={place} />}
    </ActionBar>
  );
}
