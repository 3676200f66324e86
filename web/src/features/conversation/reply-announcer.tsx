import { getMessage, shownBranch } from "@plumb/protocol/conversation/message-tree";
import { useState } from "react";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";
import { endAnnouncement } from "./reply-end.ts";

/** Tells a screen reader that a reply began and how it ended; reading out every piece of it would be noise. */
export function ReplyAnnouncer({ sessionKey }: { sessionKey: string }) {
  const { t } = useTexts();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const turns = useSession(sessionKey, turnsShown, 0);
  const last = useSession(sessionKey, lastShown, undefined);
  const running = state === "sending" || state === "completing";
  // How many messages the reply made of the conversation; null before one was seen to run.
  const [whenRunning, setWhenRunning] = useState<number | null>(null);
  if (running && whenRunning !== turns) setWhenRunning(turns);
  return (
    <div className={hidden.hidden} role="status">
      {running
        ? t("conversation.replyRunning")
        : whenRunning !== null && state === "idle"
          ? t(endAnnouncement(turns < whenRunning ? undefined : last))
          : ""}
    </div>
  );
}

function turnsShown(session: ClientSession): number {
  return shownBranch(session.tree).length;
}

function lastShown(session: ClientSession) {
  const id = shownBranch(session.tree).at(-1);
  return id === undefined ? undefined : getMessage(session.tree, id);
}
