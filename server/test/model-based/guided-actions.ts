// A walk that meets every refusal there is, so that none depends on a seed.
import type { Action, MessagePick, Script, SessionPick } from "./chat-actions.ts";

const first: SessionPick = { pick: "own", index: 0 };
const second: SessionPick = { pick: "own", index: 1 };
const leaf: MessagePick = { pick: "leaf" };
const root: MessagePick = { pick: "none" };
const unknown: MessagePick = { pick: "unknown" };
const request: MessagePick = { pick: "request", index: 0 };
const answered: Script = { pieces: ["RESPONSE"], end: "stop" };
const begun: Script = { pieces: ["RESPONSE"], end: "open" };
const wishes = { prompt: "short", thinking: false, model: null, stream: "new", proof: true } as const;

type Send = Extract<Action, { do: "send" }>;
const send = (change: Partial<Send> = {}): Action => ({
  do: "send",
  session: first,
  under: leaf,
  known: "all",
  script: answered,
  ...wishes,
  ...change,
});
const regenerate = (message: MessagePick): Action => ({
  do: "regenerate",
  session: first,
  message,
  script: answered,
  ...wishes,
});
const resume = (message: MessagePick): Action => ({
  do: "resume",
  session: first,
  message,
  lastEventId: null,
});
const feedback = (message: MessagePick): Action => ({
  do: "feedback",
  session: first,
  message,
  type: "GOOD",
});
const create: Action = { do: "create", agent: null };

export const guidedActions: readonly Action[] = [
  { do: "history", session: { pick: "foreign" }, stale: false },
  { do: "create", agent: "nobody" },
  { do: "bad-call" },
  create,
  send({ under: root }),
  send({ under: request }),
  send({ under: unknown }),
  send({ known: "stale" }),
  send({ prompt: "blank" }),
  send({ prompt: "bad-unicode" }),
  send({ model: "gone" }),
  send({ stream: "again" }),
  { do: "repeat", session: first },
  regenerate(unknown),
  feedback(unknown),
  feedback(request),
  feedback(leaf),
  { do: "continue", session: first, message: leaf, fallback: false, script: answered },
  resume(leaf),
  resume(unknown),
  { do: "clock", minutes: 13 * 60 },
  resume(leaf),
  { do: "repeat", session: first },
  // While a reply runs.
  send({ script: begun }),
  send(),
  send({ under: root }),
  regenerate(leaf),
  { do: "drive", index: 0, script: answered },
  { do: "forbid-edit", session: first },
  { do: "edit", session: first, message: request, script: answered, ...wishes },
  { do: "mute", seconds: 300 },
  send(),
  { do: "mute", seconds: 0 },
  send({ script: { pieces: ["RESPONSE"], end: "filter" } }),
  regenerate(leaf),
  send({ under: root, script: { pieces: ["RESPONSE"], end: "context_length" } }),
  regenerate(leaf),
  // Until the session is full.
  ...Array.from({ length: 4 }, () => send({ under: root })),
  // Until the day's thinking is used up, and the next day.
  create,
  ...Array.from({ length: 4 }, () => send({ session: second, under: root, thinking: true })),
  { do: "clock", minutes: 25 * 60 },
  send({ session: second, under: root, thinking: true }),
  { do: "lose-agent", session: second, persona: false },
  send({ session: second }),
  { do: "lose-agent", session: second, persona: true },
  send({ session: second }),
  { do: "rename", session: first, title: "" },
  { do: "rename", session: first, title: "x".repeat(33) },
  { do: "page", count: 0 },
  { do: "delete", session: first, as: "one" },
  { do: "history", session: { pick: "deleted" }, stale: false },
  ...Array.from({ length: 20 }, () => create),
  ...Array.from({ length: 21 }, (_, index): Action => ({
    do: "pin",
    session: { pick: "own", index },
    pinned: true,
  })),
];
