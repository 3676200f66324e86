import { expect, test } from "vitest";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";
import { askForHelp } from "./ask-for-help.ts";

test("help whose code cannot be had says so", async () => {
  const engine = await engineAtRest();
  await askForHelp(engine, () => Promise.reject(new Error("gone")));
  expect(engine.site.toasts.getState().toasts).toMatchObject([
    { type: "error", text: { key: "networkError" } },
  ]);
});
