// What a change can reach, for `npm test -- --changed`. vitest finds the unit tests by their imports; journeys and tests
// that start the product as a process import none of it, so that their reach is written down here. Pure.

/** Tests of vitest that start the product, with what they start. */
export const startingTests = {
  of: ["server/src/", "server/migrations/", "protocol/src/", "package-lock.json"],
  files: [
    "server/src/main.test.ts",
    "scripts/start-server.test.ts",
    "scripts/signals.test.ts",
    "e2e/conformance/",
    "e2e/faults/",
  ],
};

/** Parts of the product that only some journeys pass through. Everything else reaches all of them. */
export const narrow = [
  {
    at: "web/src/features/composer/",
    journeys: [
      "composer-keys",
      "send-message",
      "new-chat",
      "mobile",
      "choose-model",
      "muted",
      "files",
      "reload",
    ],
  },
  { at: "web/src/features/agents/", journeys: ["personas"] },
  { at: "web/src/features/panels/", journeys: ["html-run", "files", "hostile-markdown"] },
  { at: "web/src/features/debug/", journeys: ["shell"] },
  { at: "web/src/features/settings/", journeys: ["settings", "other-tabs", "own-data", "import-chats"] },
  { at: "web/src/features/captcha/", journeys: ["outside-sign-in", "bot-challenge"] },
  {
    at: "web/src/features/sign-in/",
    journeys: ["sign-up", "forms", "banned", "outside-sign-in", "wechat-sign-in"],
  },
  { at: "web/src/features/sidebar/", journeys: ["sidebar", "shell", "mobile", "other-tabs", "own-data"] },
  { at: "web/src/features/header/", journeys: ["shell", "sidebar", "mobile"] },
  {
    at: "web/src/markdown/",
    journeys: ["answers", "code-blocks", "hostile-markdown", "html-run", "outside-diagram", "scroll"],
  },
  { at: "server/src/operator/", journeys: [] },
  { at: "server/src/operator.ts", journeys: [] },
  { at: "web/dev/", journeys: [] },
];

const product = [
  "server/",
  "protocol/",
  "web/",
  "package-lock.json",
  "e2e/support/",
  "e2e/playwright.config.ts",
];
const noProduct = [
  /\.(test|fixture)\.tsx?$/,
  /\.md$/,
  /^server\/test\//,
  /(^|\/)vitest\.(?:apart\.)?config\.ts$/,
];
const journey = /^e2e\/journeys\/(.+)\.spec\.ts$/;

/**
 * @param {string[]} changed files of the repository, with slashes
 * @returns {{ journeys: "all" | string[], starting: boolean }} journeys by name; whether what processes run has changed
 */
export function reachOf(changed) {
  const names = new Set();
  let all = false;
  for (const file of changed) {
    const own = journey.exec(file)?.[1];
    if (own !== undefined) names.add(own);
    if (noProduct.some((pattern) => pattern.test(file))) continue;
    if (!product.some((folder) => file.startsWith(folder))) continue;
    const few = narrow.find(({ at }) => file.startsWith(at));
    if (few === undefined) all = true;
    else for (const name of few.journeys) names.add(name);
  }
  const starting = changed.some(
    (file) =>
      !noProduct.some((pattern) => pattern.test(file)) &&
      [...startingTests.of, ...startingTests.files].some((one) => file.startsWith(one)),
  );
  return { journeys: all ? "all" : [...names].sort((a, b) => a.localeCompare(b)), starting };
}
