import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { useState } from "react";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";
import { nextAnnouncement, type Announced } from "./reply-end.ts";
import { shownMessages } from "./shown-messages.ts";

/** Tells a screen reader that a reply began and how it ended; reading out every piece of it would be noise. */
export function ReplyAnnouncer({ sessionKey }: { sessionKey: string }) {
  const { t } = useTexts();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const last = useSession(sessionKey, lastShown, undefined);
  const [told, setTold] = useState<Announced>({ runningKey: null, text: null });
  const next = nextAnnouncement(told, state, last);
  if (next.runningKey !== told.runningKey || next.text !== told.text) setTold(next);
  return (
    <div className={hidden.hidden} role="status">
      {next.text === null ? "" : t(next.text)}
    </div>
  );
}

function lastShown(session: ClientSession) {
  const last = shownMessages(session).at(-1);
  return last && getMessage(session.tree, last.id);
}
