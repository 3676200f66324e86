// A part whose code comes between being drawn and its effect. Effects run by hand here: there is no DOM.
import type { EffectCallback } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { WhenHere } from "./lazy-part.tsx";

const effects = vi.hoisted((): EffectCallback[] => []);
vi.mock("react", async (original) => ({
  ...(await original<typeof import("react")>()),
  useEffect: (run: EffectCallback) => effects.push(run),
}));

test.each([false, true])(
  "a part that was not here when it was drawn is waited for; here by then: %s",
  (isHere) => {
    let here = false;
    const load = vi.fn<() => Promise<void>>(async () => {});
    const draw = () => {
      effects.length = 0;
      return renderToStaticMarkup(
        <WhenHere part={{ isHere: () => here, load }} standIn="Wait">
          Words
        </WhenHere>,
      );
    };
    expect(draw()).toContain("Wait");
    here = isHere;
    for (const run of effects) run();
    // What settles draws it again.
    expect(load).toHaveBeenCalledOnce();
    here = true;
    expect(draw()).toContain("Words");
    for (const run of effects) run();
    expect(load).toHaveBeenCalledOnce();
  },
);
