// The states worth looking at, each with its path, what the server holds and what the user did.
import type { Engine } from "../src/engine/engine.ts";
import { globalError, ok, refused } from "../src/engine/testing/fake-answers.ts";
import type { FakeServer } from "../src/engine/testing/fake-server.ts";
import { fileStates } from "./gallery-files.ts";
import { noticeStates } from "./gallery-notices.ts";
import type { GalleryState } from "./gallery-page.ts";
import { gallerySettings } from "./gallery-settings.ts";
import {
  answer,
  holdRunning,
  holdTalk,
  listChats,
  reply,
  SHOWN,
  SHOWN_PATH,
  thought,
  user,
} from "./gallery-talk.ts";
import { citedAnswer, foundPages, htmlPage, longAnswer, richAnswer } from "./gallery-texts.ts";
import { until } from "./until.ts";

const LIST = "/api/v0/chat_session/fetch_page";
const HISTORY = "/api/v0/chat/history_messages";
const never = () => new Promise<Response>(() => {});
const broken = () => globalError(50000, "INTERNAL_ERROR", 500);

const question = user(1, "Why do the tides lag behind the moon?");
const turns = [question, thought(2, 12.3, richAnswer)];

/** The session on show with these messages. */
const talk = (messages: Parameters<typeof holdTalk>[1], title?: string): GalleryState => ({
  path: SHOWN_PATH,
  prepare: (server) => holdTalk(server, messages, title),
});
const running = (messages: Parameters<typeof holdTalk>[1]): GalleryState => ({
  path: SHOWN_PATH,
  prepare: (server) => holdRunning(server, messages),
});

/** The panel runs this HTML of the last reply. */
const runs = (html: string): GalleryState => ({
  ...talk([
    ...turns,
    user(3, "Show me, please."),
    answer(4, `\`\`\`html\n${htmlPage}\n\`\`\`\n\nPress *Run*.`),
  ]),
  async act(engine) {
    await opened(engine);
    // The page closes the panel of the place before when it is there.
    void until(() => document.querySelector("article pre") !== null).then(() =>
      engine.site.openPanel({ kind: "html", language: "html", code: html }),
    );
  },
});

/** Waits for the history of the session on show. */
async function opened(engine: Engine, state = "idle"): Promise<void> {
  engine.sessions.open(SHOWN);
  await until(() => engine.sessions.store.getState().byId[SHOWN]?.state === state);
}

const states: Record<string, GalleryState> = {
  ...noticeStates(listChats),
  ...fileStates,
  "sign-in": {
    path: "/sign_in",
    signedIn: false,
    prepare: (server) =>
      server.answer("/api/v0/users/login", () => refused(2, "PASSWORD_OR_USER_NAME_IS_WRONG")),
  },
  "sign-up": {
    path: "/sign_up",
    signedIn: false,
    prepare: (server) =>
      server.answer("/api/v0/client/settings", () => ok(gallerySettings({ outbox: true }))),
  },
  banned: { path: "/banned", signedIn: false },
  waiting: { path: "/", prepare: (server) => server.answer("/api/v0/users/current", never) },
  home: { path: "/", prepare: listChats },
  "home-empty": {
    path: "/",
    act: (engine) =>
      engine.sessions.setDraft("new:chat", "First line\nSecond line\nThird line\n第四行\nFifth"),
  },
  coder: { path: "/a/coder", prepare: listChats },
  collapsed: { path: "/", prepare: listChats, preferences: { siderCollapsed: true } },
  "list-loading": { path: "/", prepare: (server) => server.answer(LIST, never) },
  "list-error": { path: "/", prepare: (server) => server.answer(LIST, broken) },
  session: talk(turns),
  chinese: talk(
    [user(1, "为什么潮汐会落后于月亮？请用一两段话解释，并给出一个表格。"), answer(2, longAnswer)],
    "潮汐为什么落后于月亮",
  ),
  "thought-above-heading": talk([
    question,
    thought(2, 3, "### Why they lag\n\nSee https://example.com/tides，然后再看。"),
    user(3, "And in short?"),
    thought(4, 2, "Friction and resonance."),
  ]),
  "outside-diagram": talk([
    user(1, "Draw it, please."),
    answer(
      2,
      '```mermaid\nflowchart TD\n  A@{ img: "http://192.0.2.1/a.png", label: "Moon" } --> B\n```\n\nDone.',
    ),
  ]),
  cited: talk([
    user(1, "潮汐为什么会落后于月亮？ And what do the almanacs say?"),
    reply(2, [
      { id: 2, type: "SEARCH", status: "FINISHED", content: null, queries: [], results: foundPages },
      { id: 3, type: "RESPONSE", content: citedAnswer },
    ]),
  ]),
  "html-run": runs(htmlPage),
  "html-run-faults": runs(
    `${htmlPage}<script src="https://cdn.example/charts.js"></script><script>drawChart()</script>`,
  ),
  "html-run-stopped": runs(`<script>parent.postMessage("x".repeat(200_000), "*")</script>`),
  "html-run-too-long": runs("<p>".repeat(1_000_000)),
  "no-answer": talk([question, reply(2, [], "INCOMPLETE")]),
  thinking: running([question, thought(2, null, null)]),
  starting: {
    ...talk(turns),
    async act(engine) {
      await opened(engine);
      await engine.turns.send(SHOWN, "And the other side?");
    },
  },
  reading: running([
    ...turns,
    user(3, "And the other side?"),
    { ...reply(4, []), inserted_at: Date.now() / 1000 - 12, has_pending_fragment: true },
  ]),
  stopped: {
    ...talk(turns),
    async act(engine, server: FakeServer) {
      await opened(engine);
      await engine.turns.send(SHOWN, "And the other side?");
      await until(() => server.replies.length > 0);
      server.produce(6);
      await until(() => engine.sessions.store.getState().byId[SHOWN]?.state === "completing");
      engine.turns.stop(SHOWN);
    },
  },
  offline: { ...talk(turns), offline: true },
  "offline-home": { path: "/", prepare: listChats, offline: true },
  "reply-dots": {
    path: SHOWN_PATH,
    prepare(server) {
      holdTalk(server, turns);
      for (const id of ["s3", "s2"]) server.addSession(id, turns);
    },
    async act(engine, server: FakeServer) {
      const stateOf = (id: string) => engine.sessions.store.getState().byId[id]?.state;
      for (const [id, events] of [
        ["s3", 99],
        ["s2", 5],
      ] as const) {
        engine.sessions.open(id);
        await until(() => stateOf(id) === "idle");
        await engine.turns.send(id, "And the other side?");
        await until(() => server.replies.at(-1)?.sessionId === id);
        engine.sessions.open(SHOWN);
        server.produce(events);
        await until(() => stateOf(id) === (events === 99 ? "idle" : "completing"));
      }
    },
  },
  streaming: running([...turns, user(3, "And the other side?"), answer(4, "There are **two** bul")]),
  reconnecting: {
    ...running([question, answer(2, "The moon pulls")]),
    async act(engine, server: FakeServer) {
      await opened(engine, "completing");
      server.setDown(true);
      server.cut();
    },
  },
  notes: {
    path: SHOWN_PATH,
    prepare(server) {
      holdTalk(server, [
        user(
          1,
          "Tell me a long story about the sea, the wind and a lighthouse keeper who counts the waves.".repeat(
            6,
          ),
        ),
        answer(2, "Once upon a", { status: "INCOMPLETE" }),
        user(3, "Go on"),
        answer(4, "Then", { status: "TIMEOUT" }),
        user(5, "https://example.com/a-very-long-address-without-any-break-that-must-wrap/".repeat(4)),
        reply(6, [], "CONTENT_FILTER"),
        user(7, "So?"),
        reply(8, [{ id: 2, type: "HOLOGRAM" }]),
      ]);
      server.answer("/api/v0/chat/completion", broken);
    },
    async act(engine) {
      await opened(engine);
      await engine.turns.send(SHOWN, "Hello?");
    },
  },
  "history-loading": {
    path: SHOWN_PATH,
    prepare(server) {
      listChats(server);
      server.answer(HISTORY, never);
    },
  },
  "history-error": {
    path: SHOWN_PATH,
    prepare(server) {
      listChats(server);
      server.answer(HISTORY, broken);
    },
  },
  settings: { ...talk(turns), act: (engine) => engine.site.setOverlays({ settings: "general" }) },
  shortcuts: { ...talk(turns), act: (engine) => engine.site.setOverlays({ shortcuts: true }) },
  rename: { ...talk(turns), act: (engine) => engine.site.setOverlays({ renaming: SHOWN }) },
  delete: { ...talk(turns), act: (engine) => engine.site.setOverlays({ deleting: "s2" }) },
  toasts: {
    ...talk(turns),
    act(engine) {
      const { showToast } = engine.site;
      showToast({ type: "error", text: { content: "Server busy, please try again later." } });
      showToast({ type: "success", text: { content: "Code sent." } });
      showToast({ type: "warning", text: { content: "Web search failed. Answering without it." } });
    },
  },
};

/** A state by its name. */
export function galleryState(name: string): GalleryState | undefined {
  return states[name];
}

export function galleryStates(): string[] {
  return Object.keys(states);
}
