// The replies this page reads, those it lost sight of, and the sessions that wait for their first message.
import type { Session } from "@plumb/protocol/wire/sessions";
import type { Send } from "../replies/auto-resume.ts";
import { createRunningReply, type RunningReply, type RunningReplyInit } from "./running-reply.ts";
import type { TurnDeps } from "./turn-deps.ts";

/** A reply we lost sight of, and how to get back to it. */
interface Lost {
  run: RunningReply;
  send: Send | null;
}

export type RunRegister = ReturnType<typeof createRunRegister>;

export function createRunRegister(deps: TurnDeps) {
  /** Replies that run; one that only awaits its title is in `all` alone. */
  const running = new Set<RunningReply>();
  const all = new Set<RunningReply>();
  const lost = new Map<string, Lost>();
  /** Sessions made for a new chat that have no message yet, by their `new:` key. */
  const unused = new Map<string, Session>();
  /** Ends with the account's stay on this page. */
  let era = new AbortController();
  /** Local ids count down from -2. */
  let localId = -1;
  const nextLocalId = (): number => --localId;

  const runDeps = {
    browser: deps.browser,
    sessions: deps.sessions,
    list: deps.list,
    reactions: deps.reactions,
    isOnScreen: deps.isOnScreen,
    onQuota: deps.onQuota,
    nextLocalId,
    onStored: (run: RunningReply): void => {
      unused.delete(run.key());
    },
    onSettled(run: RunningReply): void {
      running.delete(run);
      deps.history.outdate(run.key());
    },
  };

  /** A reply begins, or is read again. */
  function begin(init: RunningReplyInit): RunningReply {
    const run = createRunningReply(runDeps, init);
    running.add(run);
    all.add(run);
    return run;
  }

  /** Nothing more is read of it. */
  function end(run: RunningReply): void {
    all.delete(run);
  }

  /** The run of a session. Asked of the runs themselves, since that of a new chat changes its key on the way. */
  function runOf(key: string): RunningReply | undefined {
    return [...running].find((run) => run.key() === key);
  }

  /** Ends all reading, without a word to the server: replies go on there. */
  function abandonAll(): void {
    era.abort();
    era = new AbortController();
    for (const run of all) run.abort.abort();
    running.clear();
    all.clear();
    lost.clear();
    unused.clear();
  }

  /** The session is gone: nothing of it is read any more. */
  function abandon(sessionId: string): void {
    for (const run of all) {
      if (run.sessionId() !== sessionId) continue;
      run.abort.abort();
      all.delete(run);
      running.delete(run);
    }
    lost.delete(sessionId);
  }

  return {
    begin,
    end,
    runOf,
    lost,
    unused,
    era: (): AbortSignal => era.signal,
    nextLocalId,
    abandonAll,
    abandon,
  };
}
