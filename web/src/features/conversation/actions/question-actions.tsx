import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { promptOf } from "../../../engine/turns/placeholders.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { CopyButton } from "../copy-button.tsx";
import { ActionBar } from "./action-bar.tsx";
import { BranchSwitch, useBranchPlace } from "./branch-switch.tsx";

/** What can be done with a question of the user's. */
export function QuestionActions({ sessionKey, message }: { sessionKey: string; message: ClientMessage }) {
  const { t } = useTexts();
  const place = useBranchPlace(sessionKey, message);
  return (
    <ActionBar label={t("conversation.questionActions")} side="end" always={place !== null}>
      <CopyButton text={promptOf(message)} />
      {place !== null && <BranchSwitch sessionKey={sessionKey} place={place} />}
    </ActionBar>
  );
}
