import { Suspense, useEffect, useRef, useState } from "react";
import { isBlankPrompt } from "@plumb/protocol/rules/prompt-rules";
import { nextDraftKey } from "../../engine/sessions/edit-drafts.ts";
import { composerAction } from "../../engine/turns/composer-rules.ts";
import { composerElementId } from "../../hooks/composer-element.ts";
import { useDraftFiles } from "../../hooks/use-draft-files.ts";
import { useAutoHeight } from "../../hooks/use-auto-height.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useLowScreen, useSmallView, useTouch } from "../../hooks/use-media.ts";
import { cx } from "../../ui/cx.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useWritingKeys } from "../../hooks/use-writing-keys.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { FilePlaces } from "../../ui/file-grid.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import attach from "./attach-button.module.css";
import { AttachButton } from "./attach-button.tsx";
import { draftFiles, dropArea } from "./attach-files.ts";
import styles from "./composer.module.css";
import { ModeToggles } from "./mode-toggles.tsx";
import { SendButton, type SendState } from "./send-button.tsx";
import { queuedPart } from "./queued-part.ts";
import { useComposerTyping } from "./use-composer-typing.ts";
import { useFileTransfer } from "./use-file-transfer.ts";

/** The place to write. `sessionKey` is a session id or a `new:` key; what is typed belongs to it. */
export function Composer({ sessionKey, agentId }: { sessionKey: string; agentId: string }) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const touch = useTouch();
  const field = useRef<HTMLTextAreaElement>(null);
  const rule = useSelector(engine.sessions.store, ({ byId }) => composerAction(sessionKey, byId[sessionKey]));
  const sending = useSession(sessionKey, (session) => session.state === "sending", false);
  const text = useSelector(engine.sessions.store, (sessions) => sessions.drafts[sessionKey] ?? "");

  const nextPhase = useSelector(engine.queue.store, ({ byKey }) => byKey[sessionKey]?.phase);
  const [focused, setFocused] = useState(false);
  const smallView = useSmallView();
  const low = useLowScreen();
  const mayBeOneLine = low || (smallView && touch && !focused && text === "");
  /** Null before it is known. */
  const takesFiles = useSelector(engine.site.settings, ({ settings }) =>
    settings === null ? null : settings.agents.find(({ id }) => id === agentId)?.files !== false,
  );
  const files = useDraftFiles(sessionKey);
  const kept = useSelector(engine.files.store, (state) => state.places[sessionKey] ?? 0);
  const places = files.length === 0 ? kept : files.length;
  const oneLine = mayBeOneLine && places === 0;
  // The files of a chat go onto its branch, which changes with its state.
  const check = places === 0 ? null : engine.files.check(sessionKey, files);
  const dragging = useFileTransfer(field, sessionKey, takesFiles === true);

  useAutoHeight(field, text, oneLine);
  useComposerTyping(field);
  useEffect(() => {
    if (!touch) field.current?.focus({ preventScroll: true });
  }, [sessionKey, touch]);

  const isHeld = check?.kind === "block" || (check === null && isBlankPrompt(text));
  const next = nextDraftKey(sessionKey);
  const hasNext =
    useSelector(engine.sessions.store, ({ drafts }) => drafts[next] !== undefined) ||
    nextPhase === "waiting" ||
    nextPhase === "kept";
  const isAwaiting = rule === "stop" || sending;
  const mayQueue = isAwaiting && !isHeld;
  const sendState: SendState =
    rule === "send"
      ? isHeld
        ? "blocked"
        : check?.kind === "new-chat"
          ? "newChat"
          : "send"
      : rule === "wait" && sending
        ? "loading"
        : rule;

  /**
   * The engine takes the text off the field at once, keeps it until it arrived, and gives it back where it didn't. What comes
   * before a reply has ended is queued. Where nothing can be sent now it says why.
   */
  function send() {
    if (sendState === "reload") engine.sessions.retryHistory(sessionKey);
    else if (isAwaiting) engine.queue.add(sessionKey);
    else void engine.turns.send(sessionKey, text);
  }

  function press() {
    if (sendState === "stop") engine.turns.stop(sessionKey);
    else send();
    if (!touch) field.current?.focus();
  }

  const keys = useWritingKeys({
    text,
    touch,
    onSend: send,
    onPrevious() {
      const previous = engine.turns.lastPrompt(sessionKey);
      if (previous !== null) engine.sessions.setDraft(sessionKey, previous);
      return previous !== null;
    },
  });

  const form = (
    <form
      className={cx(styles.composer, oneLine && styles.oneLine)}
      onSubmit={(event) => {
        event.preventDefault();
        press();
      }}
      onClick={(event) => event.target === event.currentTarget && field.current?.focus()}
    >
      {places > 0 && (
        <Suspense
          fallback={
            <div className={styles.places}>
              <FilePlaces count={places} />
            </div>
          }
        >
          <draftFiles.Part sessionKey={sessionKey} places={places} />
        </Suspense>
      )}
      {dragging && (
        <Suspense fallback={null}>
          <dropArea.Part sessionKey={sessionKey} />
        </Suspense>
      )}
      <textarea
        ref={field}
        id={composerElementId}
        className={styles.field}
        rows={oneLine ? 1 : 2}
        value={text}
        placeholder={t("composer.placeholder")}
        aria-label={t("composer.label")}
        enterKeyHint={touch ? "enter" : "send"}
        autoComplete="off"
        dir="auto"
        onChange={(event) => engine.sessions.setDraft(sessionKey, event.target.value)}
        {...keys}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      <div className={styles.bar}>
        <ModeToggles agentId={agentId} compact={oneLine} hasFiles={places > 0} />
        <div className={styles.presses}>
          {mayQueue ? (
            // Where files are attached, which goes on only after the reply.
            <IconButton
              className={attach.button}
              label={t("composer.queue")}
              icon="arrowUp"
              side="top"
              onMouseDown={(event) => event.preventDefault()}
              onClick={send}
            />
          ) : (
            <>
              {takesFiles === null && <span className={attach.button} />}
              {takesFiles === true && <AttachButton sessionKey={sessionKey} />}
            </>
          )}
          <SendButton state={sendState} reason={check?.kind === "block" ? show(check.text) : null} />
        </div>
      </div>
    </form>
  );
  return (
    <>
      {hasNext && (
        <Suspense fallback={null}>
          <queuedPart.Part sessionKey={sessionKey} />
        </Suspense>
      )}
      {form}
    </>
  );
}
