import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { Suspense } from "react";
import { continueButton, regenerateBlock, shareBlock } from "../../../engine/turns/message-rules.ts";
import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { shareOfKey } from "../../../engine/sessions/client-session.ts";
import { focusAfterAsking } from "../../../hooks/focus-after-asking.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useOfferedModels } from "../../../hooks/use-models.ts";
import { useSession } from "../../../hooks/use-session.ts";
import { useSharingOffer } from "../../../hooks/use-sharing-offer.ts";
import { useStanding } from "../../../hooks/use-standing.ts";
import { loadDialogTexts } from "../../../i18n/dialog-texts.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { downloadFile } from "../../../markdown/download.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { copiedAnswer, hasAnswer } from "../answer-text.ts";
import { CopyButton } from "../copy-button.tsx";
import { isOnlyRetried } from "../reply-end.ts";
import { ActionBar } from "./action-bar.tsx";
import { ActionButton } from "./action-button.tsx";
import { ContinueButton } from "./continue-button.tsx";
import { FeedbackButtons } from "./feedback-buttons.tsx";
import { BranchSwitch, useBranchPlace } from "./branch-switch.tsx";

interface ReplyActionsProps {
  sessionKey: string;
  message: ClientMessage;
  isLast: boolean;
}

/** Only where there is a choice of models. */
const modelMenu = lazyPart(
  async () => (await Promise.all([import("./model-menu.tsx"), loadDialogTexts()]))[0].ModelMenu,
);

/** What can be done with a reply that is not in progress. */
export function ReplyActions({ sessionKey, message, isLast }: ReplyActionsProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const standing = useStanding(sessionKey);
  const place = useBranchPlace(sessionKey, message);
  const models = useOfferedModels();
  const isSharingOffered = useSharingOffer();
  const isShared = shareOfKey(sessionKey) !== null;
  const question = useSession(sessionKey, ({ tree }) => getMessage(tree, message.parent_id ?? 0), undefined);
  const onlyRetried = isOnlyRetried(message, isLast);
  const goesOn = continueButton(standing, message, { isLast });
  return (
    <ActionBar label={t("conversation.replyActions")} side="start" always={isLast || place !== null}>
      {place !== null && <BranchSwitch sessionKey={sessionKey} place={place} />}
      {hasAnswer(message) && (
        <>
          <CopyButton text={copiedAnswer(message)} />
          <ActionButton
            icon="download"
            label={t("sidebar.saveMarkdown")}
            onPress={() =>
              void engine
                .ownData()
                .then((data) => downloadFile(data?.saveMessage(sessionKey, message.message_id)))
            }
          />
        </>
      )}
      {!onlyRetried && (
        <>
          {!standing.isReadOnly && (
            <ActionButton
              icon="retry"
              label={t("conversation.regenerate")}
              blocked={regenerateBlock(standing, message)}
              onPress={() => {
                void engine.turns.regenerate(sessionKey, message.message_id);
                focusAfterAsking();
              }}
            />
          )}
          {!isShared && <FeedbackButtons sessionKey={sessionKey} message={message} />}
          {!isShared && isSharingOffered && (
            <ActionButton
              icon="share"
              label={t("common.share")}
              blocked={shareBlock(message, question)}
              onPress={() => engine.sharing.begin(sessionKey, message.message_id)}
            />
          )}
        </>
      )}
      {!onlyRetried && !standing.isReadOnly && models.length > 1 && (
        <Suspense fallback={null}>
          <modelMenu.Part sessionKey={sessionKey} message={message} />
        </Suspense>
      )}
      {goesOn.shown && (
        <ContinueButton
          blocked={goesOn.blocked}
          onPress={() => {
            void engine.turns.continueReply(sessionKey, message.message_id);
            focusAfterAsking();
          }}
        />
      )}
    </ActionBar>
  );
}
