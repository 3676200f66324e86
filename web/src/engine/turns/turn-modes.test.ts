import { expect, test } from "vitest";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { modeBlock, turnModes } from "./turn-modes.ts";

const offers = (search: boolean, thinking: boolean) => ({
  search: { available: search },
  thinking: { available: thinking, quota: 50 },
  models: [{ id: "default", name: "Usual", thinking }],
});

test.each([
  [true, false, null, { thinking: true, search: false }],
  [false, true, null, { thinking: false, search: true }],
  [true, true, offers(true, true), { thinking: true, search: false }],
  [true, true, offers(true, false), { thinking: false, search: true }],
  [true, true, offers(false, true), { thinking: true, search: false }],
  [true, false, offers(true, false), { thinking: false, search: false }],
  [false, true, offers(false, true), { thinking: false, search: false }],
  [false, false, offers(true, true), { thinking: false, search: false }],
] as const)(
  "thinking %s and search %s, where %j is offered, send %j",
  (thinkingEnabled, searchEnabled, offered, modes) => {
    const asked = turnModes({ thinkingEnabled, searchEnabled }, offered, { agentId: "chat", model: "" });
    expect(asked).toEqual({ ...modes, model: "" });
  },
);

const modesOf = (offered: typeof choice | null, model: string, agentId = "chat") =>
  turnModes(both, offered, { agentId, model });
const both = { thinkingEnabled: true, searchEnabled: true };
const choice = {
  ...offers(true, false),
  models: [
    { id: "default", name: "Usual", thinking: false },
    { id: "thinker", name: "Thinker", thinking: true },
  ],
};

test("a chosen model brings its own thinking, and one that is not offered gives way to the default one", () => {
  expect(modesOf(choice, "thinker")).toEqual({ thinking: true, search: false, model: "thinker" });
  expect(modesOf(choice, "gone")).toEqual({ thinking: false, search: true, model: "" });
  // Nobody knows yet what is offered: the server will say.
  expect(modesOf(null, "thinker")).toEqual({ thinking: true, search: false, model: "thinker" });
});

test("no search is asked for with a persona", () => {
  const persona = "00000000-0000-4000-8000-000000000000";
  expect(modesOf(choice, "default")).toMatchObject({ search: true });
  expect(modesOf(choice, "default", persona)).toMatchObject({ thinking: false, search: false });
});

test("a mode that the server did not serve is not kept: the message shows its own flags", async () => {
  const server = createFakeServer();
  server.addSession("s1");
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  page.engine.site.setPreferences({ thinkingEnabled: false, searchEnabled: true });
  await page.browser.settle();
  await page.engine.turns.send("s1", "2+2?");
  await page.browser.settle();
  expect(server.calls("/api/v0/chat/completion")[0]?.body["search_enabled"]).toBe(true);
  expect(page.shown("s1").at(-1)?.search_enabled).toBe(true);
  server.produce(20);
  await page.browser.advance(20);
  expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", search_enabled: false });
  page.close();
});

test("thinking and search can't be chosen while files are attached, and each says so [SRCH-004]", () => {
  for (const mode of ["thinking", "search"] as const) expect(modeBlock(mode, { hasFiles: false })).toBeNull();
  expect(modeBlock("thinking", { hasFiles: true })).toEqual({ key: "thinkingOffWithFiles" });
  expect(modeBlock("search", { hasFiles: true })).toEqual({ key: "searchOffWithFiles" });
});
