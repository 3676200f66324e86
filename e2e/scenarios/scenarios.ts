// What a client asks of a server, as plain data. The fake server of the engine's tests and the real one are led through
// the same list and must answer the same (fake-and-real.test.ts). The model always thinks "Two plus two 🧮" and then
// answers "Four, 四.", as far as a step lets it.

type Body = Record<string, unknown>;

export type Step =
  /** A new session, known by this name from here on. */
  | { create: string; persona?: string }
  /** A new persona, known by this name from here on where it was made. */
  | { persona: string; body: Body }
  /** A text file, known by this name from here on where it was taken. It is read only when `fileRead` says so. */
  | { upload: string; name: string; content?: string; proof?: "none" | "spent" }
  | { fileRead: string }
  | {
      call: string;
      /** Adds chat_session_id. */
      session?: string;
      /** Adds the character_id of the persona of this name. */
      of?: string;
      body?: Body;
      /** Adds the ids of these files: ref_file_ids of a body, file_ids of a query. A name that is none stands for itself. */
      files?: string[];
      /** Asks by GET. */
      query?: Record<string, string>;
      /** Compares the kinds of the values alone. */
      kinds?: true;
      /** Of the messages that are answered it compares those of the user alone. */
      asked?: true;
      proof?: "none" | "spent";
    }
  /** A call that may begin a stream, known by this name from here on. `after`: from where that stream has come. */
  | {
      send: string;
      session: string;
      body: Body;
      as: string;
      after?: string;
      proof?: "none";
      files?: string[];
    }
  /** How far the model gets in the reply that was begun last. */
  | { write: "ready" | "thought" | "answer" | "end" }
  /** Reads a stream that far and compares all it brought. */
  | { read: string; until: "ready" | "thought" | "answer" | "close" }
  /** Reads a stream to its close and compares nothing: without deep thinking the model of the fake thinks all the same. */
  | { finish: string };

export interface Scenario {
  name: string;
  steps: Step[];
}

const completion = "/api/v0/chat/completion";
const nowhere = "00000000-0000-4000-8000-000000000000";
const fetchedFiles = "/api/v0/file/fetch_files";
const previewed = "/api/v0/file/preview";
type Sent = Extract<Step, { send: string }>;
const sent = (session: string, as = "reply", body: Body = {}): Step => ({
  send: "completion",
  session,
  body: {
    prompt: "What is two and two?",
    thinking_enabled: true,
    client_stream_id: `${session}-${as}`,
    ...body,
  },
  as,
});
/** A session with one finished turn: messages 1 and 2. */
const talk = (session: string): Step[] => [
  { create: session },
  sent(session, "first"),
  { write: "end" },
  { read: "first", until: "close" },
];
const history = (session: string): Step => ({
  call: "/api/v0/chat/history_messages",
  query: { chat_session_id: session },
});
const list: Step = { call: "/api/v0/chat_session/fetch_page", query: { count: "20" } };
const personas: Step = { call: "/api/v0/character/list", query: {} };
const friend = { name: "Friend", instructions: "Be kind." };
const refusedTurns = (call: string, session: string, bodies: Body[]): Step[] =>
  bodies.map((body) => ({ call: `/api/v0/chat/${call}`, session, body }));

export const scenarios: Scenario[] = [
  { name: "an empty session is there and not listed", steps: [{ create: "a" }, history("a"), list] },
  {
    name: "a puzzle for a message",
    steps: [{ call: "/api/v0/chat/create_pow_challenge", body: { target_path: completion }, kinds: true }],
  },
  { name: "a path that nobody serves", steps: [{ call: "/api/v0/nothing", body: {} }] },
  {
    name: "a turn from its beginning to its end",
    steps: [
      { create: "a" },
      sent("a"),
      { write: "ready" },
      { read: "reply", until: "ready" },
      { write: "thought" },
      { read: "reply", until: "thought" },
      history("a"),
      { write: "answer" },
      { read: "reply", until: "answer" },
      { write: "end" },
      { read: "reply", until: "close" },
      history("a"),
      list,
    ],
  },
  {
    name: "a message without a proof, and with one that is spent",
    steps: [
      ...talk("a"),
      { call: completion, session: "a", body: { prompt: "x" }, proof: "none" },
      { call: completion, session: "a", body: { prompt: "x" }, proof: "spent" },
    ],
  },
  {
    name: "sessions that are not there",
    steps: [
      { call: completion, body: { chat_session_id: nowhere, prompt: "x" } },
      { call: "/api/v0/chat/regenerate", body: { chat_session_id: nowhere, child_message_id: 2 } },
      { call: "/api/v0/chat/edit_message", body: { chat_session_id: nowhere, message_id: 1, prompt: "x" } },
      { call: "/api/v0/chat/continue", body: { chat_session_id: nowhere, message_id: 2 } },
      { call: "/api/v0/chat/resume_stream", body: { chat_session_id: nowhere, message_id: 2 } },
      { call: "/api/v0/chat/stop_stream", body: { chat_session_id: nowhere } },
      {
        call: "/api/v0/chat/get_client_streams",
        body: { chat_session_id: nowhere, client_stream_ids: ["x"] },
      },
      { call: "/api/v0/chat/history_messages", query: { chat_session_id: nowhere } },
      { call: "/api/v0/chat_session/update_title", body: { chat_session_id: nowhere, title: "x" } },
      { call: "/api/v0/chat_session/update_pinned", body: { chat_session_id: nowhere, pinned: true } },
      { call: "/api/v0/chat_session/delete", body: { chat_session_id: nowhere } },
    ],
  },
  {
    name: "a session that was deleted",
    steps: [
      ...talk("a"),
      { call: "/api/v0/chat_session/delete", session: "a", body: {} },
      list,
      history("a"),
      { call: completion, session: "a", body: { prompt: "x" } },
      { call: "/api/v0/chat_session/update_title", session: "a", body: { title: "x" } },
    ],
  },
  {
    name: "personas made, changed and refused",
    steps: [
      personas,
      ...[
        {},
        { name: "x" },
        { ...friend, name: "x".repeat(33) },
        { ...friend, greeting: "x".repeat(501) },
        { ...friend, instructions: "x".repeat(4001) },
        { ...friend, avatar_text: "abc" },
      ].map((body): Step => ({ persona: "none", body })),
      { persona: "a", body: { ...friend, greeting: " Hi " } },
      { persona: "b", body: { name: "Other", instructions: "x", avatar_text: "o", avatar_color: "#ABCDEF" } },
      personas,
      { call: "/api/v0/character/update", of: "a", body: { name: " New name ", greeting: "" } },
      { call: "/api/v0/character/update", of: "a", body: { instructions: " " } },
      personas,
      { call: "/api/v0/character/delete", of: "b", body: {} },
      { call: "/api/v0/character/delete", of: "b", body: {} },
      { call: "/api/v0/character/update", of: "b", body: { name: "x" } },
      { call: "/api/v0/chat_session/create", of: "b", body: {} },
      personas,
    ],
  },
  {
    name: "a chat with a persona that is deleted",
    steps: [
      { persona: "p", body: friend },
      { create: "a", persona: "p" },
      { call: completion, session: "a", body: { prompt: "x", search_enabled: true } },
      sent("a", "first"),
      { write: "end" },
      { read: "first", until: "close" },
      list,
      ...refusedTurns("regenerate", "a", [{ child_message_id: 2, search_enabled: true }]),
      ...refusedTurns("edit_message", "a", [{ message_id: 1, prompt: "x", search_enabled: true }]),
      { call: "/api/v0/character/delete", of: "p", body: {} },
      { call: completion, session: "a", body: { prompt: "x", parent_message_id: 2 } },
      ...refusedTurns("regenerate", "a", [{ child_message_id: 2 }]),
      ...refusedTurns("edit_message", "a", [{ message_id: 1, prompt: "x" }]),
      ...refusedTurns("continue", "a", [{ message_id: 2 }]),
      history("a"),
    ],
  },
  {
    name: "files that are taken and refused",
    steps: [
      { upload: "none", name: "a.txt", proof: "none" },
      { upload: "a", name: "notes.txt", content: "Three words here." },
      { upload: "none", name: "notes.txt", proof: "spent" },
      { upload: "none", name: "empty.txt", content: "" },
      { upload: "none", name: "program.exe" },
      { upload: "none", name: "without" },
      { upload: "none", name: `${"x".repeat(252)}.txt` },
      { upload: "b", name: "../up/over.md" },
      { fileRead: "a" },
      { fileRead: "b" },
      { call: fetchedFiles, files: ["a", "b"], query: {} },
      { call: fetchedFiles, files: ["b", "file-unknown", "a", "b"], query: {} },
      { call: fetchedFiles, files: ["file-unknown"], query: {} },
    ],
  },
  {
    name: "previews of files",
    steps: [
      { upload: "a", name: "notes.txt" },
      { fileRead: "a" },
      { call: previewed, query: { file_id: "a" } },
      { call: previewed, query: { file_id: "file-unknown" } },
    ],
  },
  {
    name: "messages with files",
    steps: [
      { upload: "a", name: "notes.txt" },
      { fileRead: "a" },
      { create: "s" },
      ...[
        { prompt: "x", thinking_enabled: true },
        { prompt: "x", search_enabled: true },
        { prompt: "x", thinking_enabled: true, search_enabled: true },
      ].map((body): Step => ({ call: completion, session: "s", body, files: ["a"] })),
      { call: completion, session: "s", body: { prompt: "x" }, files: ["a", "file-unknown"] },
      // Files alone are a message.
      { ...(sent("s", "first", { prompt: "", thinking_enabled: false }) as Sent), files: ["a"] },
      { write: "end" },
      { finish: "first" },
      { ...history("s"), asked: true } as Step,
      ...refusedTurns("regenerate", "s", [
        { child_message_id: 2, thinking_enabled: true },
        { child_message_id: 2, search_enabled: true },
      ]),
      ...refusedTurns("edit_message", "s", [{ message_id: 1, prompt: "x", thinking_enabled: true }]),
      { send: "edit_message", session: "s", body: { message_id: 1, prompt: "Other" }, as: "edited" },
      { write: "end" },
      { finish: "edited" },
      { ...history("s"), asked: true } as Step,
    ],
  },
  {
    name: "a title by hand",
    steps: [
      ...talk("a"),
      { call: "/api/v0/chat_session/update_title", session: "a", body: { title: "  By hand " } },
      { call: "/api/v0/chat_session/update_title", session: "a", body: { title: " " } },
      { call: "/api/v0/chat_session/update_title", session: "a", body: { title: "x".repeat(33) } },
      list,
    ],
  },
  {
    name: "pages and pins",
    steps: [
      ...talk("a"),
      ...talk("b"),
      ...talk("c"),
      { call: "/api/v0/chat_session/update_pinned", session: "a", body: { pinned: true } },
      { call: "/api/v0/chat_session/fetch_page", query: { count: "2" } },
      { call: "/api/v0/chat_session/update_pinned", session: "a", body: { pinned: false } },
      { call: "/api/v0/chat_session/fetch_page", query: { count: "1" } },
    ],
  },
  {
    name: "turns that are refused",
    steps: [
      ...talk("a"),
      ...refusedTurns("completion", "a", [
        { prompt: " " },
        { prompt: "x", parent_message_id: 9 },
        { prompt: "x", parent_message_id: 1 },
        { prompt: "x", parent_message_id: 2, known_last_message_id: 1 },
      ]),
      ...refusedTurns("regenerate", "a", [{ child_message_id: 1 }, { child_message_id: 9 }]),
      ...refusedTurns("edit_message", "a", [
        { message_id: 2, prompt: "x" },
        { message_id: 9, prompt: "x" },
        { message_id: 1, prompt: "" },
      ]),
      ...refusedTurns("continue", "a", [{ message_id: 1 }, { message_id: 9 }, { message_id: 2 }]),
      ...refusedTurns("resume_stream", "a", [{ message_id: 1 }, { message_id: 9 }]),
      history("a"),
    ],
  },
  {
    name: "what is asked while a reply is written",
    steps: [
      ...talk("a"),
      sent("a", "second", { parent_message_id: 2 }),
      { write: "thought" },
      { read: "second", until: "thought" },
      ...refusedTurns("completion", "a", [
        { prompt: "x", parent_message_id: 2 },
        { prompt: "x", parent_message_id: 4 },
      ]),
      ...refusedTurns("regenerate", "a", [{ child_message_id: 2 }, { child_message_id: 4 }]),
      ...refusedTurns("edit_message", "a", [
        { message_id: 1, prompt: "x" },
        { message_id: 3, prompt: "x" },
      ]),
      ...refusedTurns("continue", "a", [{ message_id: 4 }]),
      { write: "end" },
      { read: "second", until: "close" },
    ],
  },
  {
    name: "a message that is sent again",
    steps: [
      { create: "a" },
      sent("a"),
      { write: "thought" },
      { read: "reply", until: "thought" },
      { ...(sent("a") as Sent), as: "again", proof: "none" },
      { read: "again", until: "thought" },
      { write: "end" },
      { read: "reply", until: "close" },
      { read: "again", until: "close" },
      { ...(sent("a") as Sent), as: "late", proof: "none" },
      { read: "late", until: "close" },
      {
        call: completion,
        session: "a",
        body: { prompt: "other", client_stream_id: "a-reply" },
        proof: "none",
      },
      {
        call: "/api/v0/chat/get_client_streams",
        session: "a",
        body: { client_stream_ids: ["a-reply", "unknown"] },
      },
    ],
  },
  {
    name: "coming back to a reply",
    steps: [
      { create: "a" },
      sent("a"),
      { write: "thought" },
      { read: "reply", until: "thought" },
      { send: "resume_stream", session: "a", body: { message_id: 2 }, as: "whole" },
      { read: "whole", until: "thought" },
      { send: "resume_stream", session: "a", body: { message_id: 2 }, as: "rest", after: "reply" },
      { write: "end" },
      { read: "rest", until: "close" },
      { read: "whole", until: "close" },
      { call: "/api/v0/chat/resume_stream", session: "a", body: { message_id: 2 } },
    ],
  },
  {
    name: "stopping a reply",
    steps: [
      { create: "a" },
      sent("a"),
      { write: "answer" },
      { read: "reply", until: "answer" },
      { call: "/api/v0/chat/stop_stream", session: "a", body: { message_id: 2 } },
      { read: "reply", until: "close" },
      history("a"),
      { call: "/api/v0/chat/stop_stream", session: "a", body: {} },
    ],
  },
  {
    name: "branches by regenerating and editing",
    steps: [
      ...talk("a"),
      {
        send: "regenerate",
        session: "a",
        body: { child_message_id: 2, thinking_enabled: true },
        as: "redone",
      },
      { write: "end" },
      { read: "redone", until: "close" },
      {
        send: "edit_message",
        session: "a",
        body: { message_id: 1, prompt: "Other", thinking_enabled: true },
        as: "edited",
      },
      { write: "end" },
      { read: "edited", until: "close" },
      history("a"),
    ],
  },
  {
    name: "feedback",
    steps: [
      ...talk("a"),
      {
        call: "/api/v0/chat/message_feedback",
        session: "a",
        body: { message_id: 2, feedback_type: "BAD", feedback_tag: "fake" },
      },
      history("a"),
      { call: "/api/v0/chat/message_feedback", session: "a", body: { message_id: 2, feedback_type: "" } },
      { call: "/api/v0/chat/message_feedback", session: "a", body: { message_id: 1, feedback_type: "GOOD" } },
      { call: "/api/v0/chat/message_feedback", session: "a", body: { message_id: 9, feedback_type: "GOOD" } },
      history("a"),
    ],
  },
];
