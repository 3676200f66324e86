// The test of what searches: a server of its own, whose search the test scripts.
import { fileURLToPath } from "node:url";
import { test as base } from "./journey.ts";
import { type ScriptedSearxng, startScriptedSearxng } from "./scripted-searxng.ts";
import { type SingleStack, startSingleStack } from "./start-stack.ts";

const slowNames = fileURLToPath(new URL("./slow-names.ts", import.meta.url));

export const searchTest = base.extend<object, { web: { search: ScriptedSearxng; stack: SingleStack } }>({
  web: [
    async ({ upstream }, use) => {
      const search = await startScriptedSearxng();
      const stack = await startSingleStack(upstream, {
        ...search.settings,
        NODE_OPTIONS: `--import=${slowNames}`,
      });
      await use({ search, stack });
      await stack.close();
      await search.close();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});
