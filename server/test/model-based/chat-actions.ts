// What a user may do, as data: which session and message is meant is found in the model when the action is done.
import fc from "fast-check";
import { type ChatModel, liveSessions, MODELED, type ModelSession, runningIn } from "./chat-model.ts";

export type SessionPick =
  { pick: "own"; index: number } | { pick: "deleted" | "foreign" | "unknown" | "malformed" };

export type MessagePick =
  | { pick: "leaf" | "running" | "none" | "unknown" | "malformed" }
  /** Counted from the newest. */
  | { pick: "reply" | "request"; index: number };

/** What the model says before it ends, and how it ends; "open" = it goes on. */
export interface Script {
  pieces: ("THINK" | "RESPONSE")[];
  end:
    | "open"
    | "stop"
    | "length"
    | "filter"
    | "unavailable"
    | "busy"
    | "rate_limited"
    | "stall"
    | "context_length";
}

interface Wishes {
  prompt: "short" | "long" | "too-long" | "blank" | "bad-unicode";
  thinking: boolean;
  model: string | null;
  stream: "none" | "new" | "again";
  proof: boolean;
}

export type Action =
  | { do: "create"; agent: string | null }
  | ({
      do: "send";
      session: SessionPick;
      under: MessagePick;
      known: "none" | "all" | "stale";
      script: Script;
    } & Wishes)
  /** The failed request once more, with another id. */
  | { do: "resend"; session: SessionPick; script: Script }
  | ({ do: "regenerate"; session: SessionPick; message: MessagePick; script: Script } & Wishes)
  | ({ do: "edit"; session: SessionPick; message: MessagePick; script: Script } & Wishes)
  | { do: "continue"; session: SessionPick; message: MessagePick; fallback: boolean; script: Script }
  /** The last turn of the session once more, as it was. */
  | { do: "repeat"; session: SessionPick }
  | { do: "drive"; index: number; script: Script }
  | { do: "stop"; session: SessionPick; message: MessagePick }
  | { do: "resume"; session: SessionPick; message: MessagePick; lastEventId: number | null }
  | { do: "look-up"; session: SessionPick }
  | { do: "rename"; session: SessionPick; title: string }
  | { do: "pin"; session: SessionPick; pinned: boolean }
  | { do: "delete"; session: SessionPick; as: "one" | "list" | "all" }
  | { do: "feedback"; session: SessionPick; message: MessagePick; type: "GOOD" | "BAD" | "" | null }
  | { do: "history"; session: SessionPick; stale: boolean }
  | { do: "page"; count: number }
  /** Without what it must have. */
  | { do: "bad-call" }
  | { do: "mute"; seconds: number }
  | { do: "forbid-edit"; session: SessionPick }
  | { do: "lose-agent"; session: SessionPick; persona: boolean }
  | { do: "clock"; minutes: number };

/** Within it the mark of a deleted session, and the token, live. */
const MOST_SKIPPED_MS = 25 * 24 * 3_600_000;
/** No sum of them is just what something lives for, and a day is passed by days. */
const MINUTES = [4, 7, 13 * 60, 25 * 60];

/** Whether it makes sense now; what is only refused does. */
export function isPossible(model: Readonly<ChatModel>, action: Action): boolean {
  const live = liveSessions(model);
  switch (action.do) {
    case "create":
      return live.length < model.mostSessions || action.agent === "nobody";
    case "clock":
      return model.nowMs - model.startMs + action.minutes * 60_000 < MOST_SKIPPED_MS;
    case "drive":
      return live.some((session) => runningIn(session) !== undefined);
    case "page":
    case "bad-call":
    case "mute":
      return true;
    default:
      if (action.session.pick === "own") return live.length > 0;
      return action.session.pick !== "deleted" || model.sessions.some(({ deleted }) => deleted);
  }
}

/** The session that is meant, null for what is none of the caller's, with its id on the wire. */
export function pickSession(
  model: ChatModel,
  { pick, ...rest }: SessionPick,
  foreignId: string,
): { id: string; session: ModelSession | null } {
  if (pick === "foreign") return { id: foreignId, session: null };
  if (pick === "unknown") return { id: "00000000-0000-4000-8000-000000000000", session: null };
  if (pick === "malformed") return { id: "' or 1=1", session: null };
  const among = pick === "deleted" ? model.sessions.filter(({ deleted }) => deleted) : liveSessions(model);
  const session = at(among, "index" in rest ? rest.index : 0);
  return { id: session?.id ?? "", session: session ?? null };
}

/** The id of the message that is meant; of the kinds that a session lacks, one that is not there. */
export function pickMessage(session: ModelSession | null, pick: MessagePick): number | null {
  const none = (session?.lastId ?? 0) + 7;
  if (pick.pick === "none") return null;
  if (session === null || pick.pick === "unknown") return none;
  if (pick.pick === "malformed") return -1;
  if (pick.pick === "leaf") return session.current ?? none;
  if (pick.pick === "running") return runningIn(session)?.id ?? session.current ?? none;
  const role = pick.pick === "reply" ? "ASSISTANT" : "USER";
  const among = session.messages.filter((message) => message.role === role).toReversed();
  return at(among, "index" in pick ? pick.index : 0)?.id ?? none;
}

export const at = <T>(list: readonly T[], index: number): T | undefined =>
  list.length === 0 ? undefined : list[index % list.length];

const often = <T>(weight: number, ...values: T[]) => ({ weight, arbitrary: fc.constantFrom(...values) });
const index = fc.integer({ min: 0, max: 5 });

const session: fc.Arbitrary<SessionPick> = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 0, max: 2 }).map((index) => ({ pick: "own" as const, index })) },
  often<SessionPick>(1, { pick: "deleted" }, { pick: "foreign" }, { pick: "unknown" }, { pick: "malformed" }),
);

const message: fc.Arbitrary<MessagePick> = fc.oneof(
  often<MessagePick>(6, { pick: "leaf" }),
  often<MessagePick>(2, { pick: "running" }),
  often<MessagePick>(1, { pick: "unknown" }, { pick: "malformed" }),
  { weight: 4, arbitrary: index.map((index) => ({ pick: "reply" as const, index })) },
  { weight: 2, arbitrary: index.map((index) => ({ pick: "request" as const, index })) },
);
const requests: fc.Arbitrary<MessagePick> = fc.oneof(
  { weight: 8, arbitrary: index.map((index) => ({ pick: "request" as const, index })) },
  { weight: 1, arbitrary: message },
);
const under: fc.Arbitrary<MessagePick> = fc.oneof(
  { weight: 8, arbitrary: message },
  often<MessagePick>(3, { pick: "none" }),
);

const script: fc.Arbitrary<Script> = fc.record({
  pieces: fc.array(fc.constantFrom("THINK" as const, "RESPONSE" as const), { maxLength: 3 }),
  end: fc.oneof(
    often<Script["end"]>(8, "stop"),
    often<Script["end"]>(6, "open"),
    often<Script["end"]>(
      1,
      "length",
      "filter",
      "unavailable",
      "busy",
      "rate_limited",
      "stall",
      "context_length",
    ),
  ),
});

const wishes = {
  prompt: fc.oneof(
    often<Wishes["prompt"]>(12, "short"),
    often<Wishes["prompt"]>(2, "long"),
    often<Wishes["prompt"]>(1, "too-long", "blank", "bad-unicode"),
  ),
  thinking: fc.oneof(often(3, false), often(1, true)),
  model: fc.oneof(
    often<string | null>(6, null),
    often<string | null>(1, "", "default", MODELED.offered, "gone"),
  ),
  stream: fc.oneof(often<Wishes["stream"]>(5, "new"), often<Wishes["stream"]>(1, "none", "again")),
  proof: fc.oneof(often(20, true), often(1, false)),
};

const titles = ["Mine", "  Two  words ", "", "   ", "é".repeat(32), "x".repeat(33), "题".repeat(32)];
const is = fc.constant;

/** All of them, each as often as it is worth. */
export const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: is("create" as const),
      agent: fc.constantFrom(null, "chat", "coder", "nobody"),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: is("send" as const),
      session,
      under,
      known: fc.oneof(
        often<"none" | "all" | "stale">(3, "none", "all"),
        often<"none" | "all" | "stale">(1, "stale"),
      ),
      script,
      ...wishes,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: is("resend" as const), session, script }) },
  { weight: 5, arbitrary: fc.record({ do: is("regenerate" as const), session, message, script, ...wishes }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: is("edit" as const), session, message: requests, script, ...wishes }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: is("continue" as const), session, message, fallback: fc.boolean(), script }),
  },
  { weight: 2, arbitrary: fc.record({ do: is("repeat" as const), session }) },
  { weight: 6, arbitrary: fc.record({ do: is("drive" as const), index, script }) },
  { weight: 3, arbitrary: fc.record({ do: is("stop" as const), session, message: under }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: is("resume" as const),
      session,
      message,
      lastEventId: fc.option(fc.integer({ min: 0, max: 9 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("look-up" as const), session }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: is("rename" as const), session, title: fc.constantFrom(...titles) }),
  },
  { weight: 2, arbitrary: fc.record({ do: is("pin" as const), session, pinned: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is("delete" as const),
      session,
      as: fc.oneof(often<"one" | "list" | "all">(4, "one", "list"), often<"one" | "list" | "all">(1, "all")),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is("feedback" as const),
      session,
      message,
      type: fc.constantFrom("GOOD" as const, "BAD" as const, "" as const, null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("history" as const), session, stale: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: is("page" as const), count: fc.constantFrom(1, 100, 0, 101) }) },
  { weight: 1, arbitrary: fc.record({ do: is("mute" as const), seconds: fc.constantFrom(0, 300) }) },
  { weight: 1, arbitrary: fc.record({ do: is("forbid-edit" as const), session }) },
  { weight: 3, arbitrary: fc.record({ do: is("clock" as const), minutes: fc.constantFrom(...MINUTES) }) },
);
