import { isCharacterId } from "@plumb/protocol/rules/character-id";
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { DEFAULT_AGENT } from "../engine/reactions.ts";
import { Composer } from "../features/composer/composer.tsx";
import { ComposerNote } from "../features/composer/composer-note.tsx";
import { Welcome } from "../features/conversation/welcome.tsx";
import { SessionHeader } from "../features/header/session-header.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { prefersReducedMotion } from "../hooks/use-media.ts";
import { useSelector } from "../hooks/use-selector.ts";
import { useSession } from "../hooks/use-session.ts";
import { useSessionTitle } from "../hooks/use-session-title.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { cx } from "../ui/cx.ts";
import { usePartHere, WhenHere } from "../ui/lazy-part.tsx";
import hidden from "../ui/visually-hidden.module.css";
import styles from "./chat-screen.module.css";
import { conversationPart, muteNoticePart, personaPart, shareSelectionPart } from "./chat-parts.ts";

const Conversation = conversationPart.Part;
const MuteNotice = muteNoticePart.Part;
const PersonaPart = personaPart.Part;
const ShareSelection = shareSelectionPart.Part;

export interface ChatScreenProps {
  agentId: string;
  /** Null on the agent's home. */
  sessionId: string | null;
  onNewChat?: (() => void) | undefined;
}

/**
 * An agent's home and its sessions. One component for both, so that the composer and the first turn stay on the page
 * when a new chat gets its session.
 */
export function ChatScreen({ agentId, sessionId, onNewChat }: ChatScreenProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const key = sessionId ?? `new:${agentId}`;
  const hasTurns = useSession(key, (session) => session.tree.nodes.size > 0, false);
  const { title } = useSessionTitle(sessionId);
  const conversationId = useConversationIdentity(key);
  const isNew = sessionId === null;
  /** The conversation that began on this page with a welcome. */
  const [welcomed, setWelcomed] = useState(isNew ? conversationId : null);
  if (isNew && welcomed !== conversationId) setWelcomed(conversationId);
  // On a slow line the welcome stays until the turns can be drawn: nothing else would stand there.
  const mayWait = hasTurns && welcomed === conversationId;
  const canDraw = usePartHere(conversationPart, mayWait);
  const welcoming = hasTurns ? mayWait && !canDraw : isNew;
  const dock = useTravel(welcoming);
  const isGone = useSelector(engine.agents.store, ({ gone }) => gone.includes(agentId));
  const hasPersonas = useSelector(engine.agents.store, ({ characters }) => (characters?.length ?? 0) > 0);
  const mutedUntil = useSelector(engine.accounts.mute, (state) => state.until);
  const selecting = useSelector(engine.site.overlays, (state) => state.selecting === key);

  useEffect(() => {
    engine.sessions.open(key);
  }, [engine, key]);

  const badge =
    sessionId === null || isGone || !isCharacterId(agentId) ? null : (
      <Suspense fallback={null}>
        <PersonaPart show="badge" id={agentId} />
      </Suspense>
    );
  return (
    <main className={styles.screen}>
      {!welcoming && <h1 className={hidden.hidden}>{title ?? t("common.newChat")}</h1>}
      {selecting ? (
        <Suspense fallback={<div className={styles.header} />}>
          <ShareSelection show="header" />
        </Suspense>
      ) : (
        <SessionHeader badge={badge} sessionId={sessionId} onNewChat={onNewChat} />
      )}
      {welcoming ? (
        <div className={styles.above}>
          {isCharacterId(agentId) ? (
            <Suspense fallback={null}>
              <PersonaPart show="welcome" id={agentId} />
            </Suspense>
          ) : (
            <Welcome agentId={agentId} />
          )}
        </div>
      ) : (
        <WhenHere part={conversationPart} standIn={<div className={styles.space} />}>
          <Conversation key={conversationId} sessionKey={key} />
        </WhenHere>
      )}
      <div ref={dock} className={cx(styles.dock, !welcoming && styles.atEnd)}>
        {selecting ? (
          <Suspense fallback={<div className={styles.notice} />}>
            <ShareSelection show="bar" />
          </Suspense>
        ) : mutedUntil === null && !isGone ? (
          <Composer sessionKey={key} agentId={agentId} />
        ) : (
          <Suspense fallback={<div className={styles.notice} />}>
            {isGone ? (
              <PersonaPart show="gone" isChat={sessionId !== null} />
            ) : (
              <MuteNotice until={mutedUntil ?? 0} />
            )}
          </Suspense>
        )}
        <ComposerNote sessionKey={key} disclaimer={!welcoming} />
        {welcoming && agentId === DEFAULT_AGENT && hasPersonas && (
          <Suspense fallback={null}>
            <PersonaPart show="tiles" />
          </Suspense>
        )}
      </div>
      {welcoming && <div className={styles.below} />}
    </main>
  );
}

/** A number for the conversation on show: another one for another conversation, the same when a new chat gets its id. */
function useConversationIdentity(key: string): number {
  const { sessions } = useEngine();
  const [identity, setIdentity] = useState({ key, count: 0 });
  if (identity.key === key) return identity.count;
  const moved = identity.key.startsWith("new:") && sessions.store.getState().byId[identity.key] === undefined;
  const next = { key, count: moved ? identity.count : identity.count + 1 };
  setIdentity(next);
  return next.count;
}

/** Lets the composer travel from the middle of the welcome to the bottom. */
function useTravel(welcoming: boolean) {
  const dock = useRef<HTMLDivElement>(null);
  /** Where it stood on the welcome; null: it was not there. */
  const start = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = dock.current;
    // Where it stands is asked for only then: it takes laying the page out, with all messages that come.
    if (element === null || (!welcoming && start.current === null)) return;
    const { top } = element.getBoundingClientRect();
    const from = start.current;
    start.current = welcoming ? top : null;
    if (from === null || welcoming || prefersReducedMotion()) return;
    element.animate([{ transform: `translateY(${from - top}px)` }, { transform: "none" }], {
      duration: 200,
      easing: "cubic-bezier(0.2, 0, 0, 1)",
    });
  });
  return dock;
}
