import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { inProject } from "./paths.mjs";
import { narrow, reachOf, startingTests } from "./reach.mjs";

it.each<[string[], ReturnType<typeof reachOf>]>([
  [[], { journeys: [], starting: false }],
  [["docs/glossary.md", "bench/README.md", "scripts/steps.mjs"], { journeys: [], starting: false }],
  [["server/src/app.ts"], { journeys: "all", starting: true }],
  [["protocol/src/limits.ts", "e2e/journeys/stop.spec.ts"], { journeys: "all", starting: true }],
  [["server/src/app.test.ts", "server/test/test-client.ts"], { journeys: [], starting: false }],
  [["e2e/journeys/stop.spec.ts"], { journeys: ["stop"], starting: false }],
  [["e2e/support/journey.ts"], { journeys: "all", starting: false }],
  [
    ["web/src/features/settings/data-tab.tsx", "e2e/journeys/stop.spec.ts"],
    { journeys: ["import-chats", "other-tabs", "own-data", "settings", "stop"], starting: false },
  ],
  [["web/src/features/settings/data-tab.tsx", "web/src/ui/button.tsx"], { journeys: "all", starting: false }],
  [["package-lock.json"], { journeys: "all", starting: true }],
])("a change of %j reaches %j", (changed, reach) => {
  expect(reachOf(changed)).toEqual(reach);
});

it("names only journeys, folders and tests that are there", () => {
  const paths = [
    ...narrow.flatMap(({ at, journeys }) => [at, ...journeys.map((name) => `e2e/journeys/${name}.spec.ts`)]),
    ...startingTests.of,
    ...startingTests.files,
  ];
  expect(paths.filter((path) => !existsSync(inProject(path)))).toEqual([]);
});
