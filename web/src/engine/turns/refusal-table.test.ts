// Every refusal of wire-contract.md §18.1 and §18.2 in every scene, held against the words of the contract: which notice,
// with which text, with or without a retry; what stays on show; and where the text is that was typed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../../i18n/en_US.json";
import zh from "../../i18n/zh_CN.json";
import { type ContractRefusal, globalRefusals, streamRefusals } from "../testing/contract-refusals.ts";
import { globalError, LOG_ID, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { watchStates } from "../testing/watch-states.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import type { Text } from "../text.ts";

const contract = readFileSync(join(import.meta.dirname, "../../../../docs/wire-contract.md"), "utf8");
const PROMPT = "2+2?";
const half = wireMessage({
  message_id: 2,
  parent_id: 1,
  role: "ASSISTANT",
  status: "INCOMPLETE",
  fragments: [{ id: 2, type: "RESPONSE", content: "hel" }],
});

interface Scene {
  path: string;
  reply: typeof half;
  begin(page: Page): Promise<boolean>;
  /** The drafts after a refusal: what was typed, where it was typed. */
  drafts: Record<string, string>;
  /** After a hint: the roles on show, and which of them has it. */
  hinted: { roles: string[]; at: number };
}

const scenes: Record<string, Scene> = {
  completion: {
    path: "/api/v0/chat/completion",
    reply: shortTalk[1]!,
    begin({ engine }) {
      engine.sessions.setDraft("s1", PROMPT);
      return engine.turns.send("s1", PROMPT);
    },
    drafts: { s1: PROMPT },
    hinted: { roles: ["USER", "ASSISTANT", "USER"], at: 2 },
  },
  regenerate: {
    path: "/api/v0/chat/regenerate",
    reply: shortTalk[1]!,
    begin: ({ engine }) => engine.turns.regenerate("s1", 2),
    drafts: {},
    hinted: { roles: ["USER", "ASSISTANT"], at: 1 },
  },
  editMessage: {
    path: "/api/v0/chat/edit_message",
    reply: shortTalk[1]!,
    begin({ engine }) {
      engine.turns.startEdit("s1", 1);
      engine.sessions.setDraft("s1#1", PROMPT);
      return engine.turns.editMessage("s1", 1, PROMPT);
    },
    drafts: { "s1#1": PROMPT },
    hinted: { roles: ["USER"], at: 0 },
  },
  continue: {
    path: "/api/v0/chat/continue",
    reply: half,
    begin: ({ engine }) => engine.turns.continueReply("s1", 2),
    drafts: {},
    hinted: { roles: ["USER", "ASSISTANT"], at: 1 },
  },
};

const DATA = { mute_until: 1_790_000_100, end_at: 1_790_000_100, is_muted: 1, quota: 50, used: 50 };

/** A text of the screen as the contract writes it: `{param}` for a value, but for numbers of codes. */
function written(texts: Record<string, string>, text: Text): string {
  if ("content" in text) return text.content;
  return (texts[text.key] ?? text.key).replace(/\{\{(\w+)\}\}/g, (_all, name: string) =>
    name === "code" ? JSON.stringify(text.params?.[name]) : `{${name}}`,
  );
}

let server: FakeServer;
let page: Page;

async function refuse(scene: Scene, answer: () => Response) {
  server = createFakeServer();
  server.addSession("s1", [shortTalk[0]!, scene.reply]);
  page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  const before = page.shown("s1");
  const wrongMoves = watchStates(page.engine, "s1");
  server.answer(scene.path, answer);
  // A mute is looked at again at once: the server is slow to say.
  server.answer("/api/v0/users/current", () => new Promise(() => {}));
  expect(await scene.begin(page)).toBe(true);
  await page.browser.settle();
  const shown = page.shown("s1");
  const { toasts } = page.engine.site.toasts.getState();
  const state = page.state("s1");
  const { drafts } = page.engine.sessions.store.getState();
  page.close();
  return { before, shown, toasts, state, drafts, wrongMoves: wrongMoves() };
}

/** What the contract's words for the client mean in a scene. */
function expected({ client }: ContractRefusal, scene: string) {
  const inBox = scene === "editMessage" && client.includes("toast when editing");
  const isHint = /hint|alert/.test(client) && !inBox;
  return {
    show: isHint ? "hint" : "toast",
    click: /hint with retry/.test(client) ? "retry" : "none",
    drops: client.startsWith("drop session"),
    storesMute: client.startsWith("store mute"),
    loadsHistory: client.includes("history loaded"),
  };
}

/** Rows that no refused turn shows, each with the reason. */
const elsewhere: Record<string, string> = {
  "22 RESUME_GOT_FULL_MESSAGE": "is a success",
  "0 ": "is a success",
  "40002 MISSING_TOKEN": "signs out, for every call",
  "40003 INVALID_TOKEN": "signs out, for every call",
  "40012 USER_IS_BANNED": "signs out, for every call",
  "40015 BIRTHDAY_REQUIRED": "opens the age gate, for every call",
  "40310 BOT_CHALLENGE": "opens an overlay, for every call (guard/bot-challenge.test.ts)",
  "40500 METHOD_NOT_ALLOWED": "answers a wrong method",
  "41000 LINK_EXPIRED": "answers a link",
  "42200 INVALID_PARAMS": "is a mistake of the page itself",
};

const rows = [...streamRefusals(contract), ...globalRefusals(contract)].filter(
  ({ code, msg }) => elsewhere[`${code} ${msg}`] === undefined,
);
const cases = rows.flatMap((row) =>
  Object.entries(scenes).map(([name, scene]) => [`${row.code} ${row.msg}`, name, row, scene] as const),
);

describe("a refusal, as the contract says", () => {
  it("is read from it: every number", () => {
    const numbers = [...new Set(streamRefusals(contract).map(({ code }) => code))];
    expect(numbers).toEqual(
      [...Array(28).keys()].map((index) => index + 1).filter((n) => n !== 14 && n !== 16),
    );
    expect(globalRefusals(contract).length).toBeGreaterThan(20);
  });

  it.each(cases)("%s, %s", async (_refusal, name, row, scene) => {
    const answer = (): Response =>
      row.code < 1000
        ? refused(row.code, row.msg, DATA)
        : globalError(row.code, row.msg, row.status, row.status === 200 ? DATA : null);
    const { before, shown, toasts, state, drafts, wrongMoves } = await refuse(scene, answer);
    const want = expected(row, name);
    expect(wrongMoves).toEqual([]);

    const hints = shown.flatMap(({ hint }) => hint ?? []);
    const notices = want.show === "hint" ? hints : toasts;
    expect(notices).toHaveLength(1);
    expect(hints.length + toasts.length).toBe(1);
    const text = notices[0]!.text;
    expect([written(en, text), written(zh, text)]).toEqual([row.english, row.chinese]);

    if (want.drops) {
      expect(state).toBeUndefined();
      expect(page.engine.site.navigation.getState().to).toBe("/");
      // Nothing typed is lost: it stands in the new chat at home.
      expect(Object.values(drafts)).toEqual(Object.values(scene.drafts));
      expect(Object.keys(drafts).every((key) => key === "new:chat")).toBe(true);
      return;
    }
    expect(state).toBe("idle");
    expect(drafts).toEqual(scene.drafts);
    expect(shown.every(({ status, generateState }) => status !== "WIP" && generateState === null)).toBe(true);
    if (want.show === "hint") {
      expect(hints[0]).toMatchObject({ type: "error", clickBehavior: want.click });
      expect(shown.map(({ role }) => role)).toEqual(scene.hinted.roles);
      expect(shown.findIndex(({ hint }) => hint !== null)).toBe(scene.hinted.at);
      expect(shown.some(({ isEditing }) => isEditing)).toBe(false);
    } else {
      // As if nothing had been asked; the text of an edit is in its box again.
      expect(shown).toEqual(
        before.map((one, at) => ({ ...one, isEditing: name === "editMessage" && at === 0 })),
      );
    }
    const mutedUntil = page.engine.accounts.auth.getState().user?.chat.mute_until ?? null;
    expect(mutedUntil).toBe(want.storesMute ? DATA.mute_until : null);
    expect(server.calls("/api/v0/chat/history_messages")).toHaveLength(want.loadsHistory ? 2 : 1);
  });

  it.each(Object.entries(scenes))(
    "77 of a newer server is logged only, %s [STRM-043]",
    async (_name, scene) => {
      const { shown, toasts, drafts } = await refuse(scene, () => refused(77, "SOMETHING_NEW"));
      expect([toasts, shown.flatMap(({ hint }) => hint ?? [])]).toEqual([[], []]);
      expect(drafts).toEqual(scene.drafts);
      expect(page.browser.logged).toContain("stream code 77 SOMETHING_NEW");
    },
  );
});

describe("a condition without a code (wire-contract.md §18.11)", () => {
  it.each([
    ["429 without a known code", 429, "rateLimitReached", "retry"],
    ["a status of 500 or more", 502, "serverUnavailable", "none"],
    ["any other status", 418, "unexpectedRequest3Code", "none"],
  ] as const)("%s", async (_title, status, key, click) => {
    for (const scene of Object.values(scenes)) {
      const { shown, toasts, drafts } = await refuse(scene, () => new Response("<html>", { status }));
      expect(toasts).toEqual([]);
      expect(shown[scene.hinted.at]?.hint).toMatchObject({ text: { key }, clickBehavior: click });
      expect(drafts).toEqual(scene.drafts);
    }
  });

  it("no proof of work: the reply's place goes, a hint with retry stands at the message [ENG-047]", async () => {
    for (const scene of Object.values(scenes)) {
      if (scene === scenes["continue"]) continue;
      server = createFakeServer();
      server.addSession("s1", [shortTalk[0]!, scene.reply]);
      server.answer("/api/v0/chat/create_pow_challenge", () => new Response("", { status: 404 }));
      page = await openPage(server);
      page.engine.sessions.open("s1");
      await page.browser.settle();
      expect(await scene.begin(page)).toBe(false);
      expect(page.shown("s1").map(({ role }) => role)).toEqual(scene.hinted.roles);
      expect(page.shown("s1")[scene.hinted.at]?.hint).toMatchObject({
        text: { key: "networkError" },
        clickBehavior: "retry",
      });
      expect(page.engine.sessions.store.getState().drafts).toEqual(scene.drafts);
      page.close();
    }
  });
});

describe("a refused resume (wire-contract.md §18.2)", () => {
  async function resumed(answer: () => Response) {
    server = createFakeServer();
    server.addSession("s1", [shortTalk[0]!, { ...half, status: "WIP" }]);
    server.answer("/api/v0/chat/resume_stream", answer);
    page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    const { toasts } = page.engine.site.toasts.getState();
    return { toasts, last: page.shown("s1").at(-1), state: page.state("s1") };
  }

  it.each([
    [7, "RESUME_MESSAGE_NOT_FOUND", 1],
    [8, "RESUME_TIME_TOO_LONG", 2],
  ] as const)(
    "%i %s: a toast, the reply is INCOMPLETE, or what the history says",
    async (code, msg, loads) => {
      const { toasts, last, state } = await resumed(() => refused(code, msg));
      expect(toasts).toMatchObject([{ text: { key: "invalidRequest" } }]);
      expect(state).toBe("idle");
      expect(server.calls("/api/v0/chat/history_messages")).toHaveLength(loads);
      // Also where that history says that it runs: it is not resumed for ever.
      expect(server.calls("/api/v0/chat/resume_stream")).toHaveLength(1);
      expect(last?.status).toBe("INCOMPLETE");
      page.close();
    },
  );

  it("1: the session is gone", async () => {
    const { toasts, state } = await resumed(() => refused(1, "ILLEGAL_CHAT_SESSION_ID"));
    expect(toasts).toMatchObject([{ text: { key: "chatNotFound" } }]);
    expect(state).toBeUndefined();
    page.close();
  });

  it("22: the message is taken whole", async () => {
    const message = { ...half, status: "FINISHED" as const };
    const chat_session = { id: "s1", title: "Old", title_type: "SYSTEM", updated_at: 1 };
    const { toasts, last } = await resumed(() => ok({ message, chat_session }, 22));
    expect(toasts).toEqual([]);
    expect(last?.status).toBe("FINISHED");
    page.close();
  });
});

it("the trace id of a refused proof is said with its number", async () => {
  const { toasts } = await refuse(scenes["completion"]!, () => globalError(40301, "INVALID_POW_RESPONSE"));
  expect(toasts).toMatchObject([{ text: { params: { code: 40301, logId: LOG_ID } } }]);
});
