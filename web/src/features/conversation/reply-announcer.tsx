import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { useState } from "react";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import { useSession } from "../../hooks/use-session.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";
import { type Announced, nextAnnouncement, notKept } from "./reply-end.ts";
import { shownMessages } from "./shown-messages.ts";

/** Tells a screen reader that a reply began and how it ended; reading out every piece of it would be noise. */
export function ReplyAnnouncer({ sessionKey }: { sessionKey: string }) {
  const { t } = useTexts();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const last = useSession(sessionKey, lastShown, undefined);
  const ifNothing = useSession(sessionKey, lastNotKept, notKept(undefined, undefined));
  const [told, setTold] = useState<Announced>({ runningKey: null, endedKey: null, ifNothing, text: null });
  const next = nextAnnouncement(told, state, last, ifNothing);
  const isNew =
    next.runningKey !== told.runningKey || next.ifNothing !== told.ifNothing || next.text !== told.text;
  if (isNew) setTold(next);
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

function lastNotKept(session: ClientSession): TextKey {
  const [question, reply] = shownMessages(session).slice(-2);
  const messageOf = (shown: typeof reply) => shown && getMessage(session.tree, shown.id);
  return notKept(messageOf(reply), messageOf(question));
}
