import { Dialog } from "radix-ui";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { flushSync } from "react-dom";
import { LIMITS } from "@plumb/protocol/limits";
import { createHistorySearch } from "../../engine/history-search/create-history-search.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import frame from "../../ui/dialog-frame.module.css";
import { Icon } from "../../ui/icon.tsx";
import { useBackCloses } from "../../ui/layers.ts";
import { Spinner } from "../../ui/spinner.tsx";
import hidden from "../../ui/visually-hidden.module.css";
import { activeChoice, choiceAfterKey } from "./active-choice.ts";
import { ChoiceRow } from "./choice-row.tsx";
import { choiceGroups, type Choice } from "./choices.ts";
import { useCommands } from "./commands.ts";
import { leadToWords } from "./lead-to-words.ts";
import styles from "./search-dialog.module.css";
import { SearchEnd, useAnnouncement } from "./search-end.tsx";

interface SearchDialogProps {
  /** What was typed before this was here; it is taken over once. */
  typedAhead: RefObject<string>;
  onNewChat: () => void;
}

/** Searches the user's chats, and gives the app's commands. */
export function SearchDialog({ typedAhead, onNewChat }: SearchDialogProps) {
  const { site } = useEngine();
  const { t } = useTexts();
  // The age is asked before anything else, also where this was opened while its code was on its way.
  const open = useSelector(site.overlays, (state) => state.search && state.gate !== "birthday");
  const focusedBefore = useRef<Element | null>(null);
  const close = () => site.setOverlays({ search: false });
  useBackCloses(open, close);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Content
          className={cx(frame.mask, styles.mask)}
          data-mask
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focusedBefore.current = document.activeElement;
            // By itself it would select what was typed ahead, and the next letter take its place.
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.querySelector("input")?.focus();
          }}
          onCloseAutoFocus={() => {
            const { activeElement: active } = document;
            // What was chosen may have taken the focus.
            if (active !== null && active !== document.body) return;
            if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
          }}
          onPointerDown={(event) => event.target === event.currentTarget && close()}
        >
          <div className={cx(frame.panel, styles.panel)}>
            <Dialog.Title className={hidden.hidden}>{t("find.title")}</Dialog.Title>
            <Search
              typedAhead={typedAhead}
              onNewChat={onNewChat}
              onPicked={(run) => {
                flushSync(close);
                if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
                run();
              }}
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface SearchProps extends SearchDialogProps {
  /** Closes the dialog and does what was chosen. */
  onPicked: (run: () => void) => void;
}

function Search({ typedAhead, onNewChat, onPicked }: SearchProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const { closeSheet } = useSider();
  const listId = useId();
  const [search] = useState(() => engine.beginSearch(createHistorySearch));
  useEffect(() => {
    const { current: typed } = typedAhead;
    typedAhead.current = "";
    if (typed !== "") search.type(typed, false);
    return search.stop;
  }, [search, typedAhead]);
  const state = useSelector(search.store, (now) => now);
  const recent = useSelector(engine.sessions.list, ({ sessions }) => sessions);
  const commands = useCommands(onNewChat);
  const [wanted, setWanted] = useState<string | null>(null);
  const groups = useMemo(() => choiceGroups(state, recent, commands), [state, recent, commands]);
  const choices = groups.flatMap((group) => group.choices);
  const active = activeChoice(choices, wanted);
  const chosen = choices.find(({ id }) => id === active);
  const list = useRef<HTMLDivElement>(null);
  const found = choices.filter(({ kind }) => kind === "command").length;
  const announcement = useAnnouncement(state, found);

  const elementId = (choice: string | null) => `${listId}-${choice}`;
  const pick = (choice: Choice) =>
    onPicked(() => {
      closeSheet();
      if (choice.kind === "command") choice.command.run(engine);
      else void search.open(choice.hit, leadToWords(choice.hit));
    });

  /** Enter was pressed before the answer to what is typed was there: the first of that is meant. */
  const isPickAwaited = useRef(false);
  useEffect(() => {
    if (!isPickAwaited.current || state.phase === "searching") return;
    isPickAwaited.current = false;
    // The dialog closes in one piece, which it cannot within an effect.
    if (state.phase === "found" && chosen !== undefined) queueMicrotask(() => pick(chosen));
  });

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return;
    const next = choiceAfterKey(choices, active, key);
    // Hits on show are still those of the words before, unless a hand went to one of them.
    if (key === "Enter" && state.phase === "searching" && wanted === null && chosen?.kind !== "command")
      isPickAwaited.current = true;
    else if (key === "Enter" && chosen !== undefined) pick(chosen);
    else if (next === null) return;
    else {
      isPickAwaited.current = false;
      setWanted(next);
      const row = list.current?.querySelector(`[data-choice="${CSS.escape(next)}"]`);
      row?.scrollIntoView({ block: "nearest" });
    }
    event.preventDefault();
  }

  return (
    <>
      <div className={styles.head}>
        <Icon name="search" />
        <input
          className={styles.field}
          type="text"
          role="combobox"
          aria-label={t("find.title")}
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={choices.length > 0 ? listId : undefined}
          aria-activedescendant={active === null ? undefined : elementId(active)}
          placeholder={t("find.placeholder")}
          maxLength={LIMITS.searchQueryChars}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          value={state.typed}
          onChange={({ target, nativeEvent }) => {
            setWanted(null);
            isPickAwaited.current = false;
            search.type(target.value, "isComposing" in nativeEvent && nativeEvent.isComposing === true);
          }}
          onCompositionEnd={({ currentTarget }) => search.type(currentTarget.value, false)}
          onKeyDown={onKeyDown}
        />
        <span className={styles.busy}>{state.phase === "searching" && <Spinner />}</span>
        <Dialog.Close className={frame.close} aria-label={t("common.close")}>
          <Icon name="close" />
        </Dialog.Close>
      </div>
      {/* What scrolls must be within reach of the keys, though the arrows lead through the choices from the field. */}
      <div
        ref={list}
        className={styles.list}
        tabIndex={0}
        role="region"
        aria-label={t("find.results")}
        aria-busy={state.phase === "searching"}
      >
        {choices.length > 0 && (
          <div id={listId} role="listbox" aria-label={t("find.results")}>
            {groups.map(({ heading, choices: members }) => (
              <div key={heading} role="group" aria-labelledby={elementId(heading)}>
                <div id={elementId(heading)} className={styles.heading}>
                  {t(heading)}
                </div>
                {members.map((choice) => (
                  <ChoiceRow
                    key={choice.id}
                    elementId={elementId(choice.id)}
                    choice={choice}
                    active={choice.id === active}
                    onPoint={({ id }) => setWanted(id)}
                    onPick={pick}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
        <SearchEnd
          state={state}
          commands={found}
          list={list}
          onMore={search.loadMore}
          onRetry={search.retry}
        />
      </div>
      <p className={hidden.hidden} role="status">
        {announcement}
      </p>
    </>
  );
}
