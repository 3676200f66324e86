// Choosing a model, from the composer to the server and back.
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const SETTINGS = "/api/v0/client/settings";
const COMPLETION = "/api/v0/chat/completion";
const REGENERATE = "/api/v0/chat/regenerate";
const CURRENT = "/api/v0/users/current";
const STORED_AS = "plumb.models";

const models = ["default", "large", "small"].map((id) => ({ id, name: id, thinking: true }));
const settings = {
  models,
  thinking: { available: true },
  search: { available: false },
  agents: [],
  limits: {},
  flags: {},
  ab_tests: {},
};

function serverWithChoice(offered = models): FakeServer {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  server.answer(SETTINGS, () => ok({ ...settings, models: offered }));
  return server;
}

async function open(server: FakeServer, disk = signedInDisk()): Promise<Page> {
  const page = await openPage(server, disk);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  return page;
}
const chosen = (page: Page) => page.engine.turns.model.getState().chosen;
const asked = (server: FakeServer, path: string) => server.calls(path).map(({ body }) => body["model"]);

async function sendAndFinish(server: FakeServer, page: Page): Promise<void> {
  expect(await page.engine.turns.send("s1", "2+2?")).toBe(true);
  await page.browser.settle();
  server.produce(20);
  await page.browser.advance(20);
}

describe("a chosen model", () => {
  it("goes with what is sent, and the default one goes without a name", async () => {
    const server = serverWithChoice();
    const page = await open(server);
    await sendAndFinish(server, page);
    page.engine.turns.chooseModel("large");
    expect(chosen(page)).toBe("large");
    const sending = page.engine.turns.send("s1", "3+3?");
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "WIP", model: "large" });
    await sending;
    await page.browser.settle();
    page.engine.turns.chooseModel("default");
    expect(chosen(page)).toBe("");
    expect(server.calls(COMPLETION)[0]?.body).not.toHaveProperty("model");
    expect(asked(server, COMPLETION)).toEqual([undefined, "large"]);
    page.close();
  });

  it("is asked again by regenerate, edit and retry, and another one once where it is named", async () => {
    const server = serverWithChoice();
    const page = await open(server);
    page.engine.turns.chooseModel("large");
    for (const model of [undefined, "small", "default"]) {
      await page.engine.turns.regenerate("s1", 2, model);
      await page.browser.settle();
      server.produce(20);
      await page.browser.advance(20);
    }
    expect(asked(server, REGENERATE)).toEqual(["large", "small", undefined]);
    expect(chosen(page)).toBe("large");
    await page.engine.turns.editMessage("s1", 1, "Another?");
    await page.browser.settle();
    expect(asked(server, "/api/v0/chat/edit_message")).toEqual(["large"]);
    page.close();
  });

  it("that was named for one reply is asked again by its retry", async () => {
    const server = serverWithChoice();
    const page = await open(server);
    page.engine.turns.chooseModel("large");
    server.answer(REGENERATE, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    await page.engine.turns.regenerate("s1", 2, "small");
    await page.browser.settle();
    expect(page.shown("s1").at(-1)).toMatchObject({ message_id: 2, hint: { clickBehavior: "retry" } });
    server.answerAsUsual(REGENERATE);
    await page.browser.advance(120_000);
    page.engine.turns.retry("s1", 2);
    await page.browser.settle();
    expect(asked(server, REGENERATE)).toEqual(["small", "small"]);
    page.close();
  });

  it("survives a reload, for the user who chose it", async () => {
    const server = serverWithChoice();
    const disk = signedInDisk();
    const first = await open(server, disk);
    first.engine.turns.chooseModel("large");
    first.close();
    const again = await open(server, disk);
    expect(chosen(again)).toBe("large");
    await again.engine.accounts.signOut();
    expect(chosen(again)).toBe("");
    again.close();
    disk.values.set("plumb.token", "token-2");
    server.answer(CURRENT, () =>
      ok({ id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } }),
    );
    const other = await open(server, disk);
    expect(chosen(other)).toBe("");
    other.engine.turns.chooseModel("small");
    other.close();
    disk.values.set("plumb.token", "token-1");
    server.answerAsUsual(CURRENT);
    const back = await open(server, disk);
    expect(chosen(back)).toBe("large");
    back.close();
  });

  it("is none where nothing usable is stored", async () => {
    for (const stored of ["", "{", "null", "[1]", '[["user-1"]]', '[["user-1",5]]', '{"user-1":"large"}']) {
      const disk = signedInDisk();
      disk.values.set(STORED_AS, stored);
      const page = await open(serverWithChoice(), disk);
      expect(chosen(page), stored).toBe("");
      page.close();
    }
  });

  it("of the users of long ago is forgotten", async () => {
    const disk = signedInDisk();
    const many = Array.from({ length: 30 }, (_none, index) => [`old-${index}`, "large"]);
    disk.values.set(STORED_AS, JSON.stringify(many));
    const page = await open(serverWithChoice(), disk);
    page.engine.turns.chooseModel("small");
    const kept = JSON.parse(disk.values.get(STORED_AS) ?? "[]") as [string, string][];
    expect(kept).toHaveLength(20);
    expect(kept.at(-1)).toEqual(["user-1", "small"]);
    page.close();
  });

  it("that is gone says so, gives the text back and gives way to the default one (27)", async () => {
    const server = serverWithChoice();
    const disk = signedInDisk();
    const page = await open(server, disk);
    page.engine.turns.chooseModel("large");
    server.answer(COMPLETION, () => refused(27, "MODEL_NOT_AVAILABLE"));
    server.answer(SETTINGS, () => ok({ ...settings, models: models.slice(0, 1) }));
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "modelNotAvailable" } }]);
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("2+2?");
    expect(page.shown("s1")).toHaveLength(2);
    expect(chosen(page)).toBe("");
    expect(disk.values.get(STORED_AS)).toBe('[["user-1",""]]');
    // What is on offer now is asked for again.
    expect(page.engine.site.settings.getState().settings?.models).toHaveLength(1);
    server.answerAsUsual(COMPLETION);
    await sendAndFinish(server, page);
    expect(asked(server, COMPLETION)).toEqual(["large", undefined]);
    page.close();
  });

  it("stays where another one, named for one reply, is gone", async () => {
    const server = serverWithChoice();
    const page = await open(server);
    page.engine.turns.chooseModel("large");
    server.answer(REGENERATE, () => refused(27, "MODEL_NOT_AVAILABLE"));
    await page.engine.turns.regenerate("s1", 2, "small");
    await page.browser.settle();
    expect(chosen(page)).toBe("large");
    page.close();
  });

  it("that the settings do not list is not asked, and is there again when they do", async () => {
    const server = serverWithChoice(models.slice(0, 1));
    const disk = signedInDisk();
    disk.values.set(STORED_AS, '[["user-1","large"]]');
    const page = await open(server, disk);
    await sendAndFinish(server, page);
    expect(asked(server, COMPLETION)).toEqual([undefined]);
    page.close();
    server.answer(SETTINGS, () => ok(settings));
    const later = await open(server, disk);
    await sendAndFinish(server, later);
    expect(asked(server, COMPLETION)).toEqual([undefined, "large"]);
    later.close();
  });
});
