// Replies that other tabs of this browser read, for the dots of the list: each tab tells what it shows and what it reads.
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";
import type { TabChannelOfNews, TabNews } from "../site/tab-news.ts";
import { isStoredSession } from "./client-session.ts";
import type { SessionStore } from "./session-store.ts";
import type { ShownSession } from "./shown-session.ts";

/** A tab that reads replies says so this often; one that crashed is forgotten after a while (milliseconds). */
const BEAT_MS = 30_000;
/** A hidden tab may run its timers once a minute only. */
const SILENT_FOR_MS = 150_000;

export interface RepliesElsewhereState {
  /** By session: its reply runs in another tab, or has ended there and nobody saw it. */
  bySession: Readonly<Record<string, "running" | "unseen">>;
}

interface OtherTab {
  shows: string | null;
  running: readonly string[];
  /** Milliseconds. */
  heardAt: number;
}

export interface RepliesElsewhereDeps {
  browser: Browser;
  tabs: TabChannelOfNews;
  sessions: SessionStore;
  shown: ShownSession;
  /** Null while nobody is known to be signed in: nothing is told then. */
  userId(): string | null;
  /** Another tab began to read a reply of this session, which the server has by now. */
  onRunning(sessionId: string): Promise<void>;
}

const NOTHING: RepliesElsewhereState = { bySession: {} };

export function createRepliesElsewhere(deps: RepliesElsewhereDeps) {
  const { browser, tabs, sessions, shown } = deps;
  const store = createStore<RepliesElsewhereState>(() => NOTHING);
  const tab = [...browser.randomBytes(8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const others = new Map<string, OtherTab>();
  const unseen = new Set<string>();
  /** Sessions whose reply has ended in another tab and is still read here; true: the next one runs there already. */
  const behind = new Map<string, boolean>();
  const onLeft = new Set<(sessionId: string) => void>();
  let told = "";
  let listening: Cancel[] = [];

  /** Not before the server has the turn: who is told of one asks for it at once. */
  function ownRunning(): string[] {
    const { byId } = sessions.store.getState();
    return Object.keys(byId).filter((key) => isStoredSession(key) && byId[key]?.state === "completing");
  }

  function isSeen(sessionId: string): boolean {
    if (browser.visible() && shown.is(sessionId)) return true;
    return [...others.values()].some(({ shows }) => shows === sessionId);
  }

  function publish(): void {
    const running = [...others.values()].flatMap((other) => other.running);
    const bySession = Object.fromEntries([
      ...[...unseen].map((id) => [id, "unseen"] as const),
      ...running.map((id) => [id, "running"] as const),
    ]);
    if (JSON.stringify(bySession) !== JSON.stringify(store.getState().bySession))
      store.setState({ bySession });
  }

  /** What somebody looks at now, here or in another tab, waits for nobody any more. */
  function dropSeen(): void {
    for (const sessionId of [...unseen]) if (isSeen(sessionId)) unseen.delete(sessionId);
    for (const [id, { endedUnseen }] of Object.entries(sessions.store.getState().byId)) {
      if (endedUnseen && isSeen(id)) sessions.update(id, () => ({ endedUnseen: false }));
    }
    publish();
  }

  function tell(): void {
    const userId = deps.userId();
    if (userId === null) return;
    const presence = { shows: browser.visible() ? shown.key() : null, running: ownRunning() };
    told = JSON.stringify(presence);
    tabs.tell({ about: "presence", tab, userId, ...presence });
  }

  /** Tells the others what is shown and read here, where that has changed. */
  function update(): void {
    const shows = browser.visible() ? shown.key() : null;
    const running = ownRunning();
    if (JSON.stringify({ shows, running }) !== told) tell();
    dropSeen();
    for (const [id, isNext] of behind) {
      if (running.includes(id)) continue;
      behind.delete(id);
      if (isNext) void deps.onRunning(id);
    }
  }

  function onPresence(news: Extract<TabNews, { about: "presence" }>): void {
    if (news.userId !== deps.userId()) return;
    const before = others.get(news.tab)?.running ?? [];
    others.set(news.tab, { shows: news.shows, running: news.running, heardAt: browser.now() });
    const own = new Set(ownRunning());
    const left = before.filter((id) => !news.running.includes(id));
    for (const id of left) {
      if (own.has(id)) behind.set(id, false);
      else unseen.add(id);
    }
    tellLeft(left);
    dropSeen();
    for (const id of news.running) {
      if (before.includes(id)) continue;
      if (behind.has(id)) behind.set(id, true);
      else void deps.onRunning(id);
    }
  }

  function tellLeft(left: readonly string[]): void {
    for (const id of left) for (const run of onLeft) run(id);
  }

  function hear(news: TabNews): void {
    if (news.about === "hello") tell();
    if (news.about === "presence") onPresence(news);
    if (news.about !== "left") return;
    const left = others.get(news.tab)?.running ?? [];
    if (others.delete(news.tab)) publish();
    tellLeft(left);
  }

  function beat(): void {
    for (const [id, { heardAt }] of others) if (browser.now() - heardAt > SILENT_FOR_MS) others.delete(id);
    publish();
    if (ownRunning().length > 0) tell();
  }

  /** This tab shows nothing of the account any more. */
  function leave(): void {
    tabs.tell({ about: "left", tab });
    told = "";
  }

  function stop(): void {
    for (const cancel of listening) cancel();
    listening = [];
  }

  return {
    store,
    update,
    /** Runs when another tab reads the reply of this session no more. */
    onLeft(sessionId: string, run: () => void): Cancel {
      const hear = (id: string): void => void (id === sessionId && run());
      onLeft.add(hear);
      return () => void onLeft.delete(hear);
    },
    /** The user is known: the other tabs are asked what they do. A second start does nothing. */
    start(): void {
      if (listening.length > 0) return;
      listening = [
        tabs.listen(hear),
        sessions.store.subscribe(update),
        browser.onVisible(update),
        browser.onHidden(update),
        browser.onLeave(leave),
        browser.every(BEAT_MS, beat),
      ];
      tabs.tell({ about: "hello" });
      tell();
    },
    clear(): void {
      if (listening.length > 0) leave();
      stop();
      others.clear();
      unseen.clear();
      behind.clear();
      store.setState(NOTHING);
    },
    stop,
  };
}
