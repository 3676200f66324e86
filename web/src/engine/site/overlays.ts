// What lies over the page: dialogs and the panel at its side, which one part of the screen opens and another shows.
import type { SearchResult } from "@plumb/protocol/conversation/fragment";
import { LIMITS } from "@plumb/protocol/limits";
import { createStore } from "zustand/vanilla";
import type { ConfirmedAct } from "../accounts/confirm-errand.ts";
import type { Browser, Cancel } from "../browser.ts";

/** What the panel shows: HTML of a reply, which runs there, what is in a file, or what a search has found. */
export type PanelContent =
  | { kind: "html"; language: string; code: string }
  | { kind: "file"; fileId: string; name: string }
  | { kind: "search"; queries: readonly string[]; results: readonly SearchResult[] };

/** The panel at the right side. It is open, then closing while it fades, then removed: null. */
export interface Panel {
  /** Another number is another showing, also of the same content. */
  id: number;
  content: PanelContent;
  phase: "open" | "closing";
}

export type SettingsTab = "general" | "account" | "data" | "policy";

export interface OpenDialogs {
  settings: SettingsTab | null;
  /** What the account asks for before anything else. */
  gate: "birthday" | "phone" | null;
  /** For what the user is asked to confirm who they are. */
  confirming: ConfirmedAct | null;
  shortcuts: boolean;
  /** The search of the history, with the app's commands. */
  search: boolean;
  /** The list of the user's personas. */
  personas: boolean;
  /** The session whose row's title is being written. */
  renaming: string | null;
  /** The session whose delete dialog is open. */
  deleting: string | null;
  /** The notice that an export is there. */
  exported: boolean;
  /** The reply whose feedback dialog is open. */
  feedback: { sessionId: string; messageId: number } | null;
  /** The question about cookies, which was answered before. */
  cookies: boolean;
  /** The session whose turns are being chosen to be shared. */
  selecting: string | null;
}

export interface OverlaysState extends OpenDialogs {
  panel: Panel | null;
}

const CLOSED: OverlaysState = {
  settings: null,
  gate: null,
  confirming: null,
  shortcuts: false,
  search: false,
  personas: false,
  renaming: null,
  deleting: null,
  exported: false,
  feedback: null,
  cookies: false,
  selecting: null,
  panel: null,
};

export function createOverlays(browser: Pick<Browser, "after">) {
  const store = createStore<OverlaysState>(() => CLOSED);
  let lastPanel = 0;
  let removal: Cancel | null = null;

  /** Gives back the number of the showing. */
  function openPanel(content: PanelContent): number {
    removal?.();
    store.setState({ panel: { id: ++lastPanel, content, phase: "open" } });
    return lastPanel;
  }

  /** What is shown goes on in its place: more has come of it. Nothing where another showing is there, or none. */
  function updatePanel(id: number, content: PanelContent): void {
    const { panel } = store.getState();
    if (panel?.id === id) store.setState({ panel: { ...panel, content } });
  }

  /** Lets the panel fade. One that fades already goes on with that. */
  function closePanel(): void {
    const { panel } = store.getState();
    if (panel?.phase !== "open") return;
    store.setState({ panel: { ...panel, phase: "closing" } });
    removal = browser.after(LIMITS.panelFadeMs, () => store.setState({ panel: null }));
  }

  /** Closes what asks something about a session that is gone. */
  function leaveSession(sessionId: string): void {
    const { renaming, deleting, feedback, selecting } = store.getState();
    store.setState({
      ...(renaming === sessionId && { renaming: null }),
      ...(deleting === sessionId && { deleting: null }),
      ...(feedback?.sessionId === sessionId && { feedback: null }),
      ...(selecting === sessionId && { selecting: null }),
    });
  }

  return {
    store,
    change: (change: Partial<OpenDialogs>): void => store.setState(change),
    openPanel,
    updatePanel,
    closePanel,
    leaveSession,
    /** At once, without a fade. */
    clear(): void {
      removal?.();
      store.setState(CLOSED);
    },
  };
}
