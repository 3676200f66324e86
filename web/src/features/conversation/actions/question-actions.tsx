import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { promptOf } from "../../../engine/turns/placeholders.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { CopyButton } from "../copy-button.tsx";
import { ActionBar } from "./action-bar.tsx";

/** What can be done with a question of the user's. */
export function QuestionActions({ message }: { message: ClientMessage }) {
  const { t } = useTexts();
  return (
    <ActionBar label={t("conversation.questionActions")} side="end" always={false}>
      <CopyButton text={promptOf(message)} />
    </ActionBar>
  );
}
