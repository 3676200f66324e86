import { askBlock } from "../../engine/turns/message-rules.ts";
import { focusAfterAsking } from "../../hooks/focus-after-asking.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useReason } from "../../i18n/use-reason.ts";
import { useStanding } from "../../hooks/use-standing.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";

interface RetryButtonProps {
  sessionKey: string;
  messageId: number;
  /** A retry would be refused for so many seconds more. */
  wait?: number;
}

/** Asks again for what failed at a message, once the session and its user may; away where that will never be. */
export function RetryButton({ sessionKey, messageId, wait = 0 }: RetryButtonProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const standing = useStanding(sessionKey);
  const reason = useReason(askBlock(standing));
  if (standing.isReadOnly) return null;
  return (
    <Button
      variant="ghost"
      disabled={wait > 0}
      onClick={() => {
        engine.turns.retry(sessionKey, messageId);
        focusAfterAsking();
      }}
      {...reason?.attributes}
    >
      {t("common.retry")}
    </Button>
  );
}
