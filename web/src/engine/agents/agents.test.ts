// The user's personas as the page knows them: listed, written, deleted, and met in chats.
import type { TypedCharacter } from "@plumb/protocol/rules/character-rules";
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";

const ME = "/api/v0/users/current";
const LIST = "/api/v0/character/list";
const CREATE = "/api/v0/character/create";
const UPDATE = "/api/v0/character/update";
const DELETE = "/api/v0/character/delete";
const nobody = "00000000-0000-4000-8000-00000000dead";

const typed = (rest: Partial<TypedCharacter> = {}): TypedCharacter => ({
  name: "Tutor",
  greeting: null,
  instructions: "Teach.",
  avatar_text: null,
  avatar_color: null,
  ...rest,
});
const names = (page: Page): string[] | null =>
  page.engine.agents.store.getState().characters?.map(({ name }) => name) ?? null;
const gone = (page: Page) => page.engine.agents.store.getState().gone;
const toasts = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ text }) => text);

async function open() {
  const server = createFakeServer();
  const disk = signedInDisk();
  const page = await openPage(server, disk);
  /** What `work` gives, once nothing is under way. */
  async function settled<T>(work: Promise<T>): Promise<T> {
    await page.browser.settle();
    return work;
  }
  const make = async (rest?: Partial<TypedCharacter>): Promise<string> => {
    const result = await settled(page.engine.agents.save(null, typed(rest)));
    if (!result.ok) throw new Error("not saved");
    return result.character.id;
  };
  return { server, disk, page, settled, make };
}

describe("the list of personas", () => {
  it("is asked for when it is wanted, and shows what is saved at once, the latest first [PERS-001] [PERS-003]", async () => {
    const { server, page, settled, make } = await open();
    expect(server.calls(LIST)).toEqual([]);
    await settled(page.engine.agents.load());
    expect(names(page)).toEqual([]);
    expect(page.engine.agents.store.getState().maxCount).toBe(20);
    const id = await make({ greeting: "Hi" });
    await make({ name: "Coach" });
    expect(names(page)).toEqual(["Coach", "Tutor"]);
    const changed = await settled(page.engine.agents.save(id, typed({ name: "Teacher" })));
    expect(changed).toMatchObject({ ok: true, character: { id, name: "Teacher", greeting: null } });
    expect(names(page)).toEqual(["Teacher", "Coach"]);
    expect(server.calls(LIST)).toHaveLength(1);
    expect(await settled(page.engine.agents.remove(id))).toBe(true);
    expect(names(page)).toEqual(["Coach"]);
    expect(gone(page)).toEqual([id]);
    page.close();
  });

  it("that was asked for before a change is asked for again", async () => {
    const { server, page, settled } = await open();
    const answers: ((response: Response) => void)[] = [];
    server.answer(LIST, () => new Promise((resolve) => void answers.push(resolve)));
    void page.engine.agents.load();
    await page.browser.settle();
    await settled(page.engine.agents.save(null, typed()));
    expect(answers).toHaveLength(2);
    answers[0]?.(ok({ characters: [], max_count: 20 }));
    await page.browser.settle();
    expect(names(page)).toBeNull();
    server.answerAsUsual(LIST);
    answers[1]?.(await server.network(LIST, { method: "GET", headers: {} }));
    await page.browser.settle();
    expect(names(page)).toEqual(["Tutor"]);
    page.close();
  });

  it("that could not be had says so, and can be asked for again", async () => {
    const { server, page, settled } = await open();
    server.answer(LIST, () => globalError(50000, "INTERNAL_ERROR", 500));
    await settled(page.engine.agents.load());
    expect(page.engine.agents.store.getState()).toMatchObject({ failed: true, characters: null });
    server.answerAsUsual(LIST);
    await settled(page.engine.agents.load());
    expect(page.engine.agents.store.getState()).toMatchObject({ failed: false, characters: [] });
    page.close();
  });

  it("leaves with the account", async () => {
    const { page, settled, make } = await open();
    await settled(page.engine.agents.load());
    await make();
    void page.engine.agents.load();
    await page.engine.accounts.signOut();
    await page.browser.settle();
    expect(names(page)).toBeNull();
    page.close();
  });
});

describe("personas made on another device", () => {
  const WELCOME = "new:chat";
  async function made(server: ReturnType<typeof createFakeServer>, name: string): Promise<void> {
    const elsewhere = await openPage(server, signedInDisk());
    void elsewhere.engine.agents.save(null, typed({ name }));
    await elsewhere.browser.settle();
    elsewhere.close();
  }

  it("are on the welcome page when it opens, when its reader comes back and when the network does", async () => {
    const { server, page } = await open();
    await made(server, "Tutor");
    page.engine.sessions.open(WELCOME);
    await page.browser.settle();
    expect(names(page)).toEqual(["Tutor"]);
    page.browser.setVisible(false);
    await made(server, "Coach");
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(names(page)).toEqual(["Coach", "Tutor"]);
    page.browser.goOffline();
    await made(server, "Cook");
    page.browser.comeOnline();
    await page.browser.settle();
    expect(names(page)).toEqual(["Cook", "Coach", "Tutor"]);
    page.close();
  });

  it("come with whoever signs in", async () => {
    const server = createFakeServer();
    await made(server, "Tutor");
    const page = await openPage(server, emptyDisk());
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    await page.browser.settle();
    expect(server.calls(LIST)).toEqual([]);
    page.engine.sessions.open(WELCOME);
    await page.browser.settle();
    expect(names(page)).toEqual(["Tutor"]);
    page.close();
  });

  it("come once the stored token has proved whose it is", async () => {
    const server = createFakeServer();
    await made(server, "Tutor");
    const holding: ((response: Response) => void)[] = [];
    server.answer(ME, () => new Promise((resolve) => void holding.push(resolve)));
    const page = await openPage(server);
    page.engine.sessions.open(WELCOME);
    await page.browser.settle();
    expect(server.calls(LIST)).toEqual([]);
    server.answerAsUsual(ME);
    holding[0]?.(await server.network(ME, { method: "GET", headers: {} }));
    await page.browser.settle();
    expect(names(page)).toEqual(["Tutor"]);
    page.close();
  });

  it("are not asked for where a chat is on show", async () => {
    const { server, page } = await open();
    page.engine.sessions.open("session-1");
    page.browser.setVisible(false);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(server.calls(LIST)).toEqual([]);
    page.close();
  });
});

describe("a persona that is written", () => {
  it("is not sent while something is wrong with it; all of it is told [PERS-004] [PERS-005] [PERS-006]", async () => {
    const { server, page, settled } = await open();
    const bad = typed({ name: " ", instructions: "", greeting: "x".repeat(501) });
    expect(await settled(page.engine.agents.save(null, bad))).toEqual({
      ok: false,
      problems: ["name-empty", "instructions-empty", "greeting-too-long"],
      isGone: false,
    });
    expect(server.calls(CREATE)).toEqual([]);
    expect(toasts(page)).toEqual([]);
    page.close();
  });

  it.each([
    [2, "CHARACTER_NAME_EMPTY", "name-empty"],
    [3, "CHARACTER_INSTRUCTIONS_EMPTY", "instructions-empty"],
    [4, "CHARACTER_NAME_TOO_LONG", "name-too-long"],
    [5, "CHARACTER_GREETING_TOO_LONG", "greeting-too-long"],
    [6, "CHARACTER_INSTRUCTIONS_TOO_LONG", "instructions-too-long"],
    [9, "CHARACTER_AVATAR_INVALID", "avatar-invalid"],
  ])("and refused with %i %s is told beside its field", async (code, msg, problem) => {
    const { server, page, settled } = await open();
    server.answer(CREATE, () => refused(code, msg));
    const result = await settled(page.engine.agents.save(null, typed()));
    expect(result).toEqual({ ok: false, problems: [problem], isGone: false });
    expect(toasts(page)).toEqual([]);
    page.close();
  });

  it.each<[string, () => Response, object[]]>([
    [
      "as one too many [PERS-002]",
      () => refused(7, "MAX_CHARACTERS_REACHED"),
      [{ key: "maxCharactersReached" }],
    ],
    [
      "for what it says [PERS-009]",
      () => refused(8, "CHARACTER_INFO_VIOLATION"),
      [{ key: "characterInfoViolation" }],
    ],
    ["for a reason of tomorrow", () => refused(77, "SOMETHING"), [{ key: "unexpectedRequest3" }]],
    ["by a fault", () => globalError(50000, "INTERNAL_ERROR", 500), [{ key: "serverUnavailable" }]],
    [
      "by a limit",
      () => globalError(42903, "OPERATION_TOO_FREQUENT", 429),
      [{ key: "operationTooFrequent" }],
    ],
  ])("and refused %s is told in a toast", async (_name, answer, told) => {
    const { server, page, settled } = await open();
    server.answer(CREATE, answer);
    expect(await settled(page.engine.agents.save(null, typed()))).toMatchObject({ ok: false, problems: [] });
    expect(toasts(page)).toMatchObject(told);
    page.close();
  });

  it("and was deleted elsewhere is said to be gone, by changing as by deleting it [PERS-007]", async () => {
    const { server, page, settled, make } = await open();
    await settled(page.engine.agents.load());
    const [first, second] = [await make(), await make()];
    server.removeCharacter(first);
    server.removeCharacter(second);
    const result = await settled(page.engine.agents.save(first, typed({ name: "Mine" })));
    expect(result).toEqual({ ok: false, problems: [], isGone: true });
    expect(toasts(page)).toMatchObject([{ key: "characterNotFound" }]);
    expect(await settled(page.engine.agents.remove(second))).toBe(true);
    expect(names(page)).toEqual([]);
    expect(gone(page)).toEqual([first, second]);
    page.close();
  });

  it("and could not be deleted stays", async () => {
    const { server, page, settled, make } = await open();
    await settled(page.engine.agents.load());
    const id = await make();
    server.answer(DELETE, () => globalError(50000, "INTERNAL_ERROR", 500));
    expect(await settled(page.engine.agents.remove(id))).toBe(false);
    expect(names(page)).toEqual(["Tutor"]);
    expect(toasts(page)).toMatchObject([{ key: "serverUnavailable" }]);
    page.close();
  });
});

describe("a chat with a persona", () => {
  const PROMPT = "2+2?";

  it("is begun under the persona's id, which its path and its session name it by", async () => {
    const { server, page, make } = await open();
    const id = await make();
    const key = `new:${id}`;
    page.engine.sessions.open(key);
    page.engine.site.setPreferences({ thinkingEnabled: false, searchEnabled: true });
    await page.engine.turns.send(key, PROMPT);
    await page.browser.settle();
    expect(server.calls("/api/v0/chat_session/create")[0]?.body).toEqual({ character_id: id });
    expect(server.calls("/api/v0/chat/completion")[0]?.body["search_enabled"]).toBe(false);
    server.produce(20);
    await page.browser.advance(20);
    expect(page.engine.site.navigation.getState().to).toBe(`/a/${id}/s/session-1`);
    expect(page.engine.sessions.store.getState().byId["session-1"]?.agentId).toBe(id);
    page.close();
  });

  it("whose persona another device made just now is no chat with a deleted one", async () => {
    const { server, page, settled } = await open();
    await settled(page.engine.agents.load());
    const elsewhere = await openPage(server, signedInDisk());
    const made = await elsewhere.engine.agents.save(null, typed());
    await elsewhere.browser.settle();
    const id = made.ok ? made.character.id : "";
    await settled(page.engine.agents.look(id));
    expect(gone(page)).toEqual([]);
    expect(names(page)).toEqual(["Tutor"]);
    await settled(page.engine.agents.look(nobody));
    expect(gone(page)).toEqual([nobody]);
    const asked = server.calls(LIST).length;
    await settled(page.engine.agents.look(id));
    await settled(page.engine.agents.look(nobody));
    expect(server.calls(LIST)).toHaveLength(asked);
    elsewhere.close();
    page.close();
  });

  it("is not said to be gone while nobody can know", async () => {
    const { server, page, settled } = await open();
    server.answer(LIST, () => globalError(50300, "SERVICE_UNAVAILABLE", 503));
    await settled(page.engine.agents.look(nobody));
    expect(gone(page)).toEqual([]);
    page.close();
  });

  it("that was deleted elsewhere says so at the next message, which is given back [PERS-008]", async () => {
    const { server, page, settled, make } = await open();
    await settled(page.engine.agents.load());
    const id = await make();
    const key = `new:${id}`;
    page.engine.sessions.open(key);
    await page.engine.turns.send(key, PROMPT);
    server.produce(20);
    await page.browser.advance(20);
    const session = "session-1";
    page.engine.sessions.open(session);
    server.removeCharacter(id);
    page.engine.sessions.setDraft(session, PROMPT);
    await page.engine.turns.send(session, PROMPT);
    await page.browser.settle();
    expect(toasts(page)).toMatchObject([{ key: "characterDeleted" }]);
    expect(page.engine.sessions.store.getState().drafts[session]).toBe(PROMPT);
    expect(page.shown(session)).toHaveLength(2);
    expect(gone(page)).toEqual([id]);
    expect(names(page)).toEqual([]);
    page.close();
  });

  it("is not begun with a persona that is gone, and what was typed stays", async () => {
    const { server, page, make } = await open();
    const id = await make();
    const key = `new:${id}`;
    server.removeCharacter(id);
    page.engine.sessions.setDraft(key, PROMPT);
    await page.engine.turns.send(key, PROMPT);
    await page.browser.settle();
    expect(toasts(page)).toMatchObject([{ key: "createSessionFailed" }]);
    expect(gone(page)).toEqual([id]);
    expect(page.engine.sessions.store.getState().drafts[key]).toBe(PROMPT);
    expect(server.calls(UPDATE)).toEqual([]);
    page.close();
  });
});
