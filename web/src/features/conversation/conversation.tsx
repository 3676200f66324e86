import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { useEffect, useMemo, useState, type MouseEvent } from "react";
import type { Engine } from "../../engine/engine.ts";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { passKeyFocus } from "../../hooks/composer-element.ts";
import { useDelayed } from "../../hooks/use-delayed.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { prefersReducedMotion } from "../../hooks/use-media.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./conversation.module.css";
import { HoldPlaceProvider } from "./hold-place.ts";
import { loadDrawersOf } from "./load-drawers.ts";
import { likelyHeight } from "./likely-height.ts";
import { madeAtOnce } from "./made-at-once.ts";
import { MessageGroupView } from "./message-group-view.tsx";
import { groupsOf, type ShownMessage } from "./message-groups.ts";
import { NewChatLink } from "./new-chat-link.tsx";
import { ReplyAnnouncer } from "./reply-announcer.tsx";
import { NO_MESSAGES, shownMessages } from "./shown-messages.ts";
import { useFollowScroll, type ReadingPlaces } from "./use-follow-scroll.ts";
import { useGoToSought, useSought } from "./use-sought.ts";

export { loadDrawersOf };

/** The messages of the last six turns: the page opens at them, and its end is measured by them. */
const NEVER_SKIPPED = 12;

function heightIn({ sessions }: Engine, sessionKey: string, messageId: number): number {
  const session = sessions.store.getState().byId[sessionKey];
  const message = session && getMessage(session.tree, messageId);
  return message === undefined ? 0 : likelyHeight(message);
}

function messagesIn({ sessions }: Engine, sessionKey: string, of: readonly ShownMessage[]): ClientMessage[] {
  const tree = sessions.store.getState().byId[sessionKey]?.tree;
  return of.flatMap(({ id }) => (tree && getMessage(tree, id)) ?? []);
}

interface ConversationProps {
  /** A session id, a share's key or a `new:` key. */
  sessionKey: string;
  /** What is there when it is opened stands on the screen. */
  onShown?: () => void;
}

/** The turns of a session, oldest first, with the scroll rule. */
export function Conversation({ sessionKey, onShown }: ConversationProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const reconnecting = useSession(sessionKey, (session) => session.connection === "reconnecting", false);
  const branch = useSession(sessionKey, shownMessages, NO_MESSAGES);
  const places = useMemo<ReadingPlaces>(
    () => ({
      read: () => engine.sessions.readingPlace(sessionKey),
      keep: (place) => engine.sessions.keepReadingPlace(sessionKey, place),
    }),
    [engine, sessionKey],
  );
  const sought = useSought(sessionKey);
  const [opening, setOpening] = useState({ branch: NO_MESSAGES, sought, from: 0, to: 0 });
  const seeks = sought !== null && sought !== opening.sought;
  if (seeks || opening.branch !== branch) {
    const readMessageId = places.read()?.messageId ?? null;
    const heights = { screen: window.innerHeight, of: (id: number) => heightIn(engine, sessionKey, id) };
    const before = seeks ? NO_MESSAGES : opening.branch;
    const range = madeAtOnce(before, branch, readMessageId, heights);
    if (before === NO_MESSAGES)
      loadDrawersOf(messagesIn(engine, sessionKey, branch.slice(range.from, range.to)));
    setOpening({ branch, sought, ...range });
  }
  const groups = useMemo(() => groupsOf(branch, branch.length - NEVER_SKIPPED, opening), [branch, opening]);
  const scroll = useFollowScroll(sessionKey, branch.length > 0, places, onShown);
  useGoToSought(sought, branch, scroll);
  const spinnerShown = useDelayed(state === "fetchingHistory" && branch.length === 0, 500, 200);

  const { toBottom } = scroll;
  useEffect(() => {
    if (state === "sending") toBottom();
  }, [state, toBottom]);

  const goDown = (press: MouseEvent) => {
    toBottom(!prefersReducedMotion());
    // The button goes away at the end of the chat.
    passKeyFocus(press);
  };
  return (
    <div className={cx(styles.conversation, scroll.scrolled && styles.scrolled)}>
      <div
        ref={scroll.scroller}
        className={styles.scroller}
        role="region"
        aria-label={t("conversation.label")}
        tabIndex={0}
      >
        <div ref={scroll.content} className={styles.column}>
          {spinnerShown && (
            <div className={styles.center} role="status" data-uncopied="">
              <Spinner />
              {t("conversation.loading")}
            </div>
          )}
          {state === "historyError" && branch.length === 0 && (
            <div className={styles.center} role="alert" data-uncopied="">
              {t("conversation.loadFailed")}
              <Button onClick={() => engine.sessions.retryHistory(sessionKey)}>{t("common.retry")}</Button>
            </div>
          )}
          <HoldPlaceProvider value={scroll.hold}>
            {groups.map((group, index) => (
              <MessageGroupView key={index} sessionKey={sessionKey} {...group} />
            ))}
          </HoldPlaceProvider>
          {/* Under the copy of an earlier visit, where one looks. */}
          {state === "historyError" && branch.length > 0 && (
            <div className={styles.outdated} role="alert" data-uncopied="">
              <Icon name="alert" />
              <span>{t("conversation.notNewest")}</span>
              <Button variant="ghost" onClick={() => engine.sessions.retryHistory(sessionKey)}>
                {t("common.retry")}
              </Button>
            </div>
          )}
          {reconnecting && (
            <div className={styles.reconnecting} role="status" data-uncopied="">
              <Spinner />
              {t("conversation.reconnecting")}
            </div>
          )}
          {branch.length > 0 && <NewChatLink sessionKey={sessionKey} />}
        </div>
        {/* Inside, so that the wheel turned over it scrolls the page. */}
        {!scroll.nearBottom && branch.length > 0 && (
          <div className={styles.end}>
            {state === "completing" ? (
              <button type="button" className={cx(styles.floating, styles.newBelow)} onClick={goDown}>
                <Icon name="arrowDown" small />
                {t("conversation.newBelow")}
              </button>
            ) : (
              <IconButton
                className={cx(styles.floating, styles.toBottom)}
                label={t("conversation.toBottom")}
                icon="arrowDown"
                side="top"
                onClick={goDown}
              />
            )}
          </div>
        )}
      </div>
      <ReplyAnnouncer sessionKey={sessionKey} />
    </div>
  );
}
