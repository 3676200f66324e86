// Choosing turns of a conversation to share them (requirements 1§4, 1§5). Which session's turns are chosen stands in
// `overlays.selecting`.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { getMessage, shownBranch } from "@plumb/protocol/conversation/message-tree";
import { LIMITS } from "@plumb/protocol/limits";
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { oneLine } from "@plumb/protocol/rules/one-line";
import {
  type SharePair,
  sharePairs,
  toggleAllPairs,
  togglePair,
} from "@plumb/protocol/rules/share-selection-rules";
import { questionTitle } from "@plumb/protocol/rules/title-rules";
import { createStore } from "zustand/vanilla";
import type { Cancel } from "../browser.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { createOverlays } from "../site/overlays.ts";

export interface SelectionState {
  /** Ids of the messages that can be chosen. */
  selectable: ReadonlySet<number>;
  /** Those of them that carry files. */
  withFiles: ReadonlySet<number>;
  /** Those that are chosen. */
  chosen: ReadonlySet<number>;
  /** What the share is called unless something else is typed: after the first chosen question alone. */
  defaultTitle: string;
  /** What stands in the field for the title, as it is typed; null: the default. */
  typedTitle: string | null;
}

export interface ShareSelectionDeps {
  sessions: SessionStore;
  overlays: ReturnType<typeof createOverlays>;
  /** Closes the box in which a question is edited; what is typed there stays. */
  closeEditBox(sessionId: string, messageId: number): void;
}

const NOTHING: SelectionState = {
  selectable: new Set(),
  withFiles: new Set(),
  chosen: new Set(),
  defaultTitle: "",
  typedTitle: null,
};

/** Turns that are chosen: half of the messages. */
export function turnCount({ chosen }: SelectionState): number {
  return chosen.size / 2;
}

/** Whether a chosen message carries a file: who continues the share does so with its text. */
export function carriesFiles({ chosen, withFiles }: SelectionState): boolean {
  return [...withFiles].some((id) => chosen.has(id));
}

/** What the share will be called. */
export function shareTitle({ typedTitle, defaultTitle }: SelectionState): string {
  return oneLine(typedTitle ?? "") || defaultTitle;
}

/** As the server calls a share whose owner gives it no title. "" of a message that says nothing. */
function titleOf({ fragments, files }: Message): string {
  const asked = fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  const prompt = isFragment(asked, "REQUEST") ? asked.content : "";
  return questionTitle(
    prompt,
    files.map(({ file_name: name }) => name),
  );
}

/** Whether all, some or none of what can be chosen is. */
export function selectionExtent({ selectable, chosen }: SelectionState): "all" | "some" | "none" {
  if (chosen.size === 0) return "none";
  return chosen.size === selectable.size ? "all" : "some";
}

export type ShareSelection = ReturnType<typeof createShareSelection>;

export function createShareSelection({ sessions, overlays, closeEditBox }: ShareSelectionDeps) {
  const store = createStore<SelectionState>(() => NOTHING);
  let pairs: readonly SharePair[] = [];
  let messages: ReadonlyMap<number, Message> = new Map();
  let unsubscribe: Cancel | null = null;

  const ids = (): number[] => pairs.flatMap(({ request, reply }) => [request, reply]);

  /** What can be chosen by now; what cannot any more is let go. */
  function look({ tree }: ClientSession): void {
    const before = JSON.stringify(pairs);
    const branch = shownBranch(tree).flatMap((id) => getMessage(tree, id) ?? []);
    pairs = sharePairs(branch);
    if (JSON.stringify(pairs) === before) return;
    const selectable = new Set(ids());
    messages = new Map(branch.map((message) => [message.message_id, message]));
    store.setState({
      selectable,
      withFiles: new Set(branch.filter(({ files }) => files.length > 0).map(({ message_id: id }) => id)),
    });
    choose((chosen) => new Set([...chosen].filter((id) => selectable.has(id))));
  }

  function choose(next: (chosen: ReadonlySet<number>) => ReadonlySet<number>): void {
    store.setState((state) => {
      const chosen = next(state.chosen);
      const first = messages.get(pairs.find(({ request }) => chosen.has(request))?.request ?? 0);
      return { chosen, defaultTitle: first === undefined ? "" : titleOf(first) };
    });
  }

  /** What is typed into the field for the title; nothing that can be seen: the default again, once the field is left. */
  const typeTitle = (typed: string): void =>
    store.setState({ typedTitle: firstCodePoints(typed, LIMITS.titleChars) });

  /** The field for the title is left. */
  function leaveTitle(): void {
    if (oneLine(store.getState().typedTitle ?? "") === "") store.setState({ typedTitle: null });
  }

  /** Chooses or lets go a message and the other one of its turn. One that can't be chosen changes nothing. */
  const toggle = (messageId: number): void => choose((chosen) => togglePair(chosen, pairs, messageId));

  /** Chooses all that can be, or lets go all. */
  const toggleAll = (): void => choose((chosen) => toggleAllPairs(chosen, pairs));

  function closeBoxes({ id, tree }: ClientSession): void {
    for (const { message } of tree.nodes.values())
      if (message.isEditing) closeEditBox(id, message.message_id);
  }

  /** Leaves the choosing. */
  function end(): void {
    unsubscribe?.();
    unsubscribe = null;
    pairs = [];
    messages = new Map();
    store.setState(NOTHING);
    if (overlays.store.getState().selecting !== null) overlays.change({ selecting: null });
  }

  /** Begins to choose in a session, with the turn of this message chosen; null: with none. What is typed in edit boxes stays. */
  function begin(sessionId: string, messageId: number | null): void {
    const session = sessions.get(sessionId);
    if (session === undefined) return;
    end();
    closeBoxes(session);
    look(session);
    unsubscribe = sessions.store.subscribe(({ byId }, { byId: before }) => {
      const now = byId[sessionId];
      if (now === undefined) end();
      else if (now.tree !== before[sessionId]?.tree) look(now);
    });
    if (messageId !== null) toggle(messageId);
    overlays.change({ selecting: sessionId });
  }

  return {
    store,
    begin,
    toggle,
    toggleAll,
    typeTitle,
    leaveTitle,
    end,
    /** The chosen messages, oldest first. */
    chosenIds: (): number[] => ids().filter((id) => store.getState().chosen.has(id)),
  };
}
