// Chats in which a message waits and that are not open here: what became of their replies is asked, or it would wait for an opening.
import type { Browser, Cancel } from "../browser.ts";
import { createPoll, type Asked } from "../poll.ts";
import { isReplying, isStoredSession } from "../sessions/client-session.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import type { createRepliesElsewhere } from "../sessions/replies-elsewhere.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ShownSession } from "../sessions/shown-session.ts";

/** A page that loads has other things to do first (milliseconds). */
const SOONEST_MS = 2000;
/** Tabs that load together do not ask together: the second one hears what the first one reads. */
const SPREAD_MS = 2000;
const SLOWEST_MS = 60_000;
/** Each reply that is read takes a connection, and a browser may have six. */
const MOST_REPLIES = 2;

export interface UnopenedDeps {
  browser: Browser;
  sessions: SessionStore;
  history: Pick<HistoryLoader, "load">;
  shown: Pick<ShownSession, "is">;
  elsewhere: Pick<ReturnType<typeof createRepliesElsewhere>, "store">;
}

export interface UnopenedChats {
  /** Looks for the reply in this chat, for as long as `isWanted` says so. */
  look(key: string): void;
  stop: Cancel;
}

export function createUnopenedChats(deps: UnopenedDeps, isWanted: (key: string) => boolean): UnopenedChats {
  const { browser, sessions, history, shown, elsewhere } = deps;
  const wanted = new Set<string>();
  /** Those that were loaded for this. */
  const loaded = new Set<string>();
  const [part = 0] = browser.randomBytes(1);
  const poll = createPoll({
    browser,
    everyMs: SOONEST_MS + (part / 256) * SPREAD_MS,
    slowestMs: SLOWEST_MS,
    ask,
  });

  /** One that another tab reads is left to it: that tab sends what is queued, or is gone one day. */
  const isReadElsewhere = (key: string): boolean => elsewhere.store.getState().bySession[key] === "running";

  function mayReadMore(): boolean {
    const known = [...loaded].flatMap((key) => sessions.get(key) ?? []);
    return known.filter(isReplying).length < MOST_REPLIES;
  }

  async function ask(): Promise<Asked> {
    for (const key of wanted) if (sessions.get(key) !== undefined || !isWanted(key)) wanted.delete(key);
    if (wanted.size === 0) poll.stop();
    const key = [...wanted].find((one) => !isReadElsewhere(one));
    if (key === undefined || !mayReadMore()) return { outcome: "nothing" };
    loaded.add(key);
    if (await history.load(key)) return { outcome: "answered" };
    forget(key);
    return { outcome: "failed" };
  }

  /** It could not be loaded: it is not open here, as before. */
  function forget(key: string): void {
    if (sessions.get(key)?.state !== "historyError" || shown.is(key)) return;
    sessions.store.setState(({ byId: { [key]: _failed, ...byId } }) => ({ byId }));
  }

  return {
    look(key) {
      if (!isStoredSession(key)) return;
      if (wanted.size === 0) poll.start();
      wanted.add(key);
    },
    stop: poll.stop,
  };
}
