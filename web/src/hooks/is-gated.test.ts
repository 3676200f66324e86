import { beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine/engine.ts";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";
import { isGated } from "./is-gated.ts";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
});

test.each(["birthday", "phone"] as const)("no key leads past the question: %s", (gate) => {
  expect(isGated(engine)).toBe(false);
  engine.site.setOverlays({ gate });
  expect(isGated(engine)).toBe(true);
  engine.site.setOverlays({ gate: null });
  expect(isGated(engine)).toBe(false);
});

test.each(["captcha", "challenge"] as const)("no key leads past a %s", (what) => {
  engine[what].store.setState({ asked: "slide" });
  expect(isGated(engine)).toBe(true);
  engine[what].store.setState({ asked: null });
  expect(isGated(engine)).toBe(false);
});

test("other dialogs let the keys pass", () => {
  engine.site.setOverlays({ settings: "general", shortcuts: true });
  expect(isGated(engine)).toBe(false);
});
