import { beforeAll, expect, test } from "vitest";
import { createFakeServer } from "../engine/testing/fake-server.ts";
import { openPage } from "../engine/testing/open-page.ts";
import { startAfresh } from "./start-afresh.ts";

// Else the first file would wait for the code.
beforeAll(() => import("../engine/files/create-files.ts"));

test("a root screen that was left for hours begins with nothing typed, attached or open [SHELL-024]", async () => {
  const page = await openPage(createFakeServer());
  const { files, sessions, site } = page.engine;
  const attached = (key: string) => files.store.getState().byKey[key]?.length ?? 0;
  sessions.setDraft("new:chat", "half a thought");
  for (const key of ["new:chat", "new:coder"]) files.add(key, [{ name: "a.txt", size: 3 }]);
  await page.browser.advance(5000);
  expect([attached("new:chat"), attached("new:coder")]).toEqual([1, 1]);
  site.setOverlays({ settings: "data", gate: "birthday" });
  site.openPanel({ kind: "html", language: "html", code: "x" });

  startAfresh(page.engine, "new:chat");
  await page.browser.advance(1000);
  expect(sessions.store.getState().drafts["new:chat"] ?? "").toBe("");
  expect([attached("new:chat"), attached("new:coder")]).toEqual([0, 1]);
  expect(site.overlays.getState()).toMatchObject({ settings: null, gate: "birthday", panel: null });
  page.close();
});
