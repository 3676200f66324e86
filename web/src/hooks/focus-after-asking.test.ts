import { expect, test, vi } from "vitest";
import { composerElementId } from "./composer-element.ts";
import { focusAfterAsking } from "./focus-after-asking.ts";

const media = { matches: false };
vi.stubGlobal("window", { matchMedia: () => media });

/** A page with these elements: what got the focus, and how. */
function focused(has: { composer: boolean }, touch: boolean) {
  const given: [string, unknown][] = [];
  const element = (name: string) => ({ focus: (how: unknown) => given.push([name, how]) });
  vi.stubGlobal("document", {
    getElementById: (id: string) =>
      id === composerElementId && has.composer ? element("the place to write") : null,
    querySelector: () => element("the conversation"),
  });
  media.matches = touch;
  focusAfterAsking();
  return given;
}

test.each([
  ["keys and a mouse", { composer: true }, false, "the place to write"],
  ["fingers, whose keyboard stays away", { composer: true }, true, "the conversation"],
  ["no place to write", { composer: false }, false, "the conversation"],
])("with %s the focus goes to the right place, unscrolled", (_name, has, touch, place) => {
  expect(focused(has, touch)).toEqual([[place, { preventScroll: true }]]);
});
