import { Suspense, useCallback, useEffect, useState, type ComponentType } from "react";
import { useLocation } from "wouter";
import { DEFAULT_AGENT, SIGN_IN } from "../engine/reactions.ts";
import { shareKey } from "../engine/sessions/client-session.ts";
import { SharedHeader } from "../features/header/shared-header.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useSession } from "../hooks/use-session.ts";
import { useSharing } from "../hooks/use-sharing.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Icon } from "../ui/icon.tsx";
import { WhenHere } from "../ui/lazy-part.tsx";
import { conversationPart, muteNoticePart } from "./chat-parts.ts";
import styles from "./shared-chat.module.css";

const Conversation = conversationPart.Part;
const MuteNotice = muteNoticePart.Part;

type Composer = ComponentType<{ sessionKey: string; agentId: string }>;

interface SharedChatProps {
  shareId: string;
  /** The place to write of a page that has one: a guest's does without its code. */
  Composer: Composer | null;
}

/** A share as its reader sees it: a warning, what was said, and the way to continue it as a chat of one's own. */
export function SharedChat({ shareId, Composer }: SharedChatProps) {
  const engine = useEngine();
  const { shared } = useSharing();
  const { t } = useTexts();
  const [path, navigate] = useLocation();
  const key = shareKey(shareId);
  const status = useSelector(engine.accounts.auth, (state) => state.status);
  const [titleAhead] = useState(titleInOpening);
  const title = useSession(key, (session) => session.title, null) ?? titleAhead ?? t("shared.fallbackTitle");
  const isThere = useSession(key, (session) => session.tree.nodes.size > 0, false);
  const isGuest = status !== "yes";
  const continuing = useSelector(shared.store, (state) => state.continuing === shareId);
  const isOwn = useSelector(shared.store, (state) => state.own === shareId);
  const hasDraft = useSelector(engine.sessions.store, ({ drafts }) => (drafts[key] ?? "") !== "");
  const isWriting = !isGuest && Composer !== null && (continuing || hasDraft);
  // An account that comes or leaves takes what was on the page with it.
  useEffect(() => shared.open(shareId), [shared, shareId, status]);

  const { isOpening, onShown } = useOpening(key);
  useScrollKeys();

  function continueChat() {
    shared.wantToContinue(shareId);
    if (isGuest) navigate(`${SIGN_IN}?${new URLSearchParams({ redirect: path }).toString()}`);
  }
  return (
    <main className={styles.screen} data-opening={isOpening || undefined}>
      <SharedHeader title={title} isGuest={isGuest} />
      <p className={styles.banner} role="note">
        <Icon name="info" small />
        <span>{t(isOwn ? "shared.ownBanner" : "shared.banner")}</span>
      </p>
      <WhenHere part={conversationPart} standIn={<div className={styles.space} />}>
        <Conversation key={key} sessionKey={key} onShown={onShown} />
      </WhenHere>
      <div className={cx(styles.dock, isGuest && styles.guest)}>
        {isThere && !isWriting && (
          <div className={styles.continue}>
            <Button variant="primary" size="large" onClick={continueChat}>
              {t("shared.continue")}
            </Button>
          </div>
        )}
        {isThere && isWriting && <Writing sessionKey={key} Composer={Composer} />}
      </div>
    </main>
  );
}

/** The title that came with the page; null where the share has none. */
function titleInOpening(): string | null {
  const place = document.querySelector("#opening p");
  return place?.childElementCount === 0 ? place.textContent : null;
}

/** Whether the words that came with the page stand in for the chat, which is not drawn yet. They are used once. */
function useOpening(key: string): { isOpening: boolean; onShown: () => void } {
  const [isShown, setShown] = useState(false);
  const failed = useSession(key, (session) => session.state === "historyError", false);
  const isOpening = !isShown && !failed;
  useEffect(() => (isOpening ? () => document.getElementById("opening")?.remove() : undefined), [isOpening]);
  return { isOpening, onShown: useCallback(() => setShown(true), []) };
}

/** Nothing has the focus as the page comes: the keys that scroll go to what was said, as they would to a page that scrolls whole. */
function useScrollKeys(): void {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (target !== document.body || ctrlKey || metaKey || altKey || !/^(?:Arrow|Page|Home|End| )/.test(key))
        return;
      const region = document.querySelector<HTMLElement>("main [role=region]");
      if (region === null) return;
      // As a page that scrolls whole has no ring; who comes here by Tab sees it.
      region.style.outline = "none";
      region.addEventListener("blur", () => region.style.removeProperty("outline"), { once: true });
      region.focus({ preventScroll: true });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** Where the reader writes what the copy begins with. */
function Writing({ sessionKey, Composer }: { sessionKey: string; Composer: Composer }) {
  const engine = useEngine();
  const { t } = useTexts();
  const mutedUntil = useSelector(engine.accounts.mute, (state) => state.until);
  if (mutedUntil !== null)
    return (
      <Suspense fallback={<div className={styles.notice} />}>
        <MuteNotice until={mutedUntil} />
      </Suspense>
    );
  return (
    <>
      <Composer sessionKey={sessionKey} agentId={DEFAULT_AGENT} />
      <p className={styles.note}>{t("shared.ownCopy")}</p>
    </>
  );
}
