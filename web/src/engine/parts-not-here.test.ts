// The code of a part that cannot be had: what the page asks for of itself stays quiet, what a hand asks for is said.
import { expect, test, vi } from "vitest";
import { createFakeServer } from "./testing/fake-server.ts";
import { openPage } from "./testing/open-page.ts";

const away = vi.hoisted(() => () => {
  throw new Error("no network");
});
vi.mock("./agents/create-agents.ts", away);
vi.mock("./files/create-files.ts", away);
vi.mock("./accounts/sign-in.ts", away);

test("what is loaded ahead of need says nothing when it fails", async () => {
  const page = await openPage(createFakeServer());
  const { agents, files, site } = page.engine;
  const told = () => site.toasts.getState().toasts.map(({ dedupeKey }) => dedupeKey);
  files.prepare();
  await vi.waitFor(() =>
    expect(page.browser.logged).toEqual([expect.stringContaining("the part for files was not loaded")]),
  );
  expect(told()).toEqual([]);

  await agents.remove("some-id");
  files.retry("some-key");
  await vi.waitFor(() => expect(told()).toEqual(["personas", "files"]));
  page.close();
});

test("a form says that it could not be sent", async () => {
  const page = await openPage(createFakeServer());
  const entered = { identifier: "someone@example.com", password: "a long passphrase" };
  const said = { ok: false, field: null, text: { key: "networkError" } };
  expect(await page.engine.accounts.signIn(entered)).toEqual(said);
  page.close();
});
