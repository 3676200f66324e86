import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";

/** Tells a screen reader that a reply began and ended; reading out every piece of it would be noise. */
export function ReplyAnnouncer({ sessionKey }: { sessionKey: string }) {
  const { t } = useTexts();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const hasTurns = useSession(sessionKey, (session) => session.tree.nodes.size > 0, false);
  const running = state === "sending" || state === "completing";
  return (
    <div className={hidden.hidden} role="status">
      {running
        ? t("conversation.replyRunning")
        : hasTurns && state === "idle"
          ? t("conversation.replyReady")
          : ""}
    </div>
  );
}
