import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { useState } from "react";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";
import { endAnnouncement } from "./reply-end.ts";
import { shownMessages } from "./shown-messages.ts";

/** Tells a screen reader that a reply began and how it ended; reading out every piece of it would be noise. */
export function ReplyAnnouncer({ sessionKey }: { sessionKey: string }) {
  const { t } = useTexts();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const last = useSession(sessionKey, lastShown, undefined);
  const running = state === "sending" || state === "completing";
  // The last message while the reply ran, null before one was seen to; another one at its end: nothing of it was kept.
  const [runningKey, setRunningKey] = useState<string | null>(null);
  if (running && last !== undefined && runningKey !== last.key) setRunningKey(last.key);
  return (
    <div className={hidden.hidden} role="status">
      {running
        ? t("conversation.replyRunning")
        : runningKey !== null && state === "idle"
          ? t(endAnnouncement(last?.key === runningKey ? last : undefined))
          : ""}
    </div>
  );
}

function lastShown(session: ClientSession) {
  const last = shownMessages(session).at(-1);
  return last && getMessage(session.tree, last.id);
}
