// The states worth looking at, each with its path.
import type { ClientMessage } from "../src/engine/sessions/client-message.ts";
import { listedSession, message, type FakeState } from "./fake-engine.ts";
import { longAnswer, richAnswer, thinking } from "./gallery-texts.ts";

const list = [
  listedSession("s1", "Why tides lag behind the moon", 0.01),
  listedSession("s2", "一个特别长的中文标题用来检查侧边栏的渐隐效果是否正确显示", 0.02),
  listedSession("s3", "A very long English title that will not fit in the row at all", 1),
  listedSession("s4", "Regex for ISO dates", 1.1),
  listedSession("s5", "给妈妈写一封信", 4),
  listedSession("s6", "SQLite or PostgreSQL?", 5),
  listedSession("s7", null, 12),
  listedSession("s8", "Sourdough, second try", 20),
  ...Array.from({ length: 24 }, (_, index) =>
    listedSession(`m${index}`, `Older chat number ${index + 1}`, 40 + index * 5),
  ),
];

const user = (id: number, content: string, part: Partial<ClientMessage> = {}) =>
  message({ message_id: id, role: "USER", fragments: [{ id: 1, type: "REQUEST", content }], ...part });
const answer = (id: number, content: string, part: Partial<ClientMessage> = {}) =>
  message({ message_id: id, role: "ASSISTANT", fragments: [{ id: 2, type: "RESPONSE", content }], ...part });
const thought = (
  id: number,
  elapsed: number | null,
  content: string | null,
  part: Partial<ClientMessage> = {},
) =>
  message({
    message_id: id,
    role: "ASSISTANT",
    fragments: [
      { id: 2, type: "THINK", content: thinking, elapsed_secs: elapsed },
      ...(content === null ? [] : [{ id: 3, type: "RESPONSE" as const, content }]),
    ],
    ...part,
  });

const sessionPath = "/a/chat/s/s1";
const title = "Why tides lag behind the moon";

function session(
  messages: ClientMessage[],
  part: NonNullable<FakeState["sessions"]>[number] = { id: "s1" },
): FakeState {
  return { path: sessionPath, sessionList: { sessions: list }, sessions: [{ title, messages, ...part }] };
}

const turns = [user(1, "Why do the tides lag behind the moon?"), thought(2, 12.3, richAnswer)];

const states: Record<string, FakeState> = {
  "sign-in": { path: "/sign_in", auth: "no" },
  "sign-up": { path: "/sign_up", auth: "no", outbox: true },
  banned: { path: "/banned", auth: "no" },
  waiting: { path: "/", auth: "pending" },
  home: { path: "/", sessionList: { sessions: list } },
  "home-empty": { path: "/", drafts: { "new:chat": "First line\nSecond line\nThird line\n第四行\nFifth" } },
  coder: { path: "/a/coder", sessionList: { sessions: list } },
  collapsed: { path: "/", preferences: { siderCollapsed: true } },
  "list-loading": { path: "/", sessionList: { state: "loading" } },
  "list-error": { path: "/", sessionList: { state: "error" } },
  session: session(turns),
  chinese: session(
    [user(1, "为什么潮汐会落后于月亮？请用一两段话解释，并给出一个表格。"), answer(2, longAnswer)],
    { id: "s1", title: "潮汐为什么落后于月亮" },
  ),
  "thought-above-heading": session([
    turns[0] as ClientMessage,
    thought(2, 3, "### Why they lag\n\nSee https://example.com/tides，然后再看。"),
    user(3, "And in short?"),
    thought(4, 2, "Friction and resonance."),
  ]),
  "no-answer": session([
    turns[0] as ClientMessage,
    message({ message_id: 2, role: "ASSISTANT", fragments: [], status: "INCOMPLETE" }),
  ]),
  thinking: session([turns[0] as ClientMessage, thought(2, null, null, { status: "WIP" })], {
    id: "s1",
    state: "completing",
  }),
  starting: session(
    [turns[0] as ClientMessage, message({ message_id: 2, role: "ASSISTANT", fragments: [], status: "WIP" })],
    { id: "s1", state: "sending" },
  ),
  streaming: session(
    [...turns, user(3, "And the other side?"), answer(4, "There are **two** bul", { status: "WIP" })],
    {
      id: "s1",
      state: "completing",
    },
  ),
  reconnecting: session([turns[0] as ClientMessage, answer(2, "The moon pulls", { status: "WIP" })], {
    id: "s1",
    state: "completing",
    connection: "reconnecting",
  }),
  notes: session([
    user(
      1,
      "Tell me a long story about the sea, the wind and a lighthouse keeper who counts the waves.".repeat(6),
    ),
    answer(2, "Once upon a", { status: "INCOMPLETE" }),
    user(3, "Go on"),
    answer(4, "Then", { status: "TIMEOUT" }),
    user(5, "https://example.com/a-very-long-address-without-any-break-that-must-wrap/".repeat(4)),
    message({ message_id: 6, role: "ASSISTANT", fragments: [], status: "CONTENT_FILTER" }),
    user(7, "So?"),
    message({ message_id: 8, role: "ASSISTANT", fragments: [{ id: 2, type: "HOLOGRAM" }] }),
    user(9, "Hello?", {
      hint: {
        text: { content: "Server is temporarily unavailable." },
        type: "error",
        clickBehavior: "retry",
        traceId: "0b9f6a51c2de4f7f8a3b1c2d3e4f5a6b",
      },
    }),
  ]),
  "history-loading": session([], { id: "s1", title: null, state: "fetchingHistory" } as { id: string }),
  "history-error": session([], { id: "s1", state: "historyError" }),
  settings: { ...session(turns), overlays: { settings: "general" } },
  shortcuts: { ...session(turns), overlays: { shortcuts: true } },
  rename: { ...session(turns), overlays: { renaming: "s1" } },
  delete: { ...session(turns), overlays: { deleting: "s2" } },
  toasts: {
    ...session(turns),
    toasts: [
      { type: "error", text: { content: "Server busy, please try again later." } },
      { type: "success", text: { content: "Code sent." } },
      { type: "warning", text: { content: "Web search failed. Answering without it." } },
    ],
  },
};

/** A state by its name. */
export function galleryState(name: string): FakeState | undefined {
  return states[name];
}

export function galleryStates(): string[] {
  return Object.keys(states);
}
