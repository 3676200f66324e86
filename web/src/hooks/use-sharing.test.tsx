import { Suspense } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Engine } from "../engine/engine.ts";
import type { SharingWork } from "../engine/sharing/create-sharing.ts";
import { EngineProvider } from "./use-engine.tsx";
import { useSharing } from "./use-sharing.ts";

function Reader() {
  useSharing();
  return "is here";
}

test.each([
  ["is here", true],
  ["comes", false],
])("the part for sharing %s", (shows, isHere) => {
  const work = {} as SharingWork;
  const sharing = { here: () => (isHere ? work : null), load: () => Promise.resolve(work) };
  const html = renderToStaticMarkup(
    <EngineProvider engine={{ sharing } as unknown as Engine}>
      <Suspense fallback="comes">
        <Reader />
      </Suspense>
    </EngineProvider>,
  );
  expect(html).toContain(shows);
});
