import { expect, test, vi } from "vitest";
import type { LoadTexts } from "./i18n.ts";

/** As a page has it that was just opened. */
async function fresh() {
  vi.resetModules();
  const i18n = await import("./i18n.ts");
  await i18n.setLocale("en_US");
  return i18n;
}

/** A part of the page with one text, whose files come when they are let go. */
function part(key: string) {
  const held: (() => void)[] = [];
  let isOpen = false;
  const load: LoadTexts = () =>
    new Promise((resolve) => {
      const come = () => resolve({ default: { [key]: `the text of ${key}` } });
      if (isOpen) come();
      else held.push(come);
    });
  /** Lets go what was asked for last, once so much was asked for. */
  const letGo = async (count = 1) => {
    await expect.poll(() => held.length).toBe(count);
    held.pop()?.();
  };
  /** Lets go whatever is asked for. */
  const open = () => {
    isOpen = true;
    held.splice(0).forEach((come) => come());
  };
  return { load, letGo, open };
}

test("texts of a part that came while older ones were on their way stay, when those come last", async () => {
  const { addTexts, translate } = await fresh();
  const [slow, quick] = [part("slow"), part("quick")];
  const slowAdded = addTexts(slow.load);
  await slow.letGo();
  const quickAdded = addTexts(quick.load);
  await quick.letGo();
  // All texts are put together twice now: with those of the one part, and with those of both.
  await slow.letGo(2);
  await quick.letGo();
  await quickAdded;
  expect(translate("quick")).toBe("the text of quick");
  slow.open();
  quick.open();
  await slowAdded;
  expect([translate("slow"), translate("quick")]).toEqual(["the text of slow", "the text of quick"]);
});

test("whoever asks for texts that are on their way waits for them, too", async () => {
  const { addTexts, translate } = await fresh();
  const { load, letGo } = part("shared");
  const first = addTexts(load);
  await letGo();
  let isSecondHere = false;
  const second = addTexts(load).then(() => (isSecondHere = true));
  await Promise.resolve();
  expect([isSecondHere, translate("shared")]).toEqual([false, "shared"]);
  await letGo();
  await Promise.all([first, second]);
  expect(translate("shared")).toBe("the text of shared");
});

test("texts that could not be had are asked for again", async () => {
  const { addTexts, translate } = await fresh();
  let fails = true;
  const load: LoadTexts = async () => {
    if (fails) throw new Error("gone");
    return { default: { late: "the text of late" } };
  };
  await expect(addTexts(load)).rejects.toThrow("gone");
  expect(translate("late")).toBe("late");
  fails = false;
  await addTexts(load);
  expect(translate("late")).toBe("the text of late");
});
