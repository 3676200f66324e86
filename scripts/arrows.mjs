// The direction of every import (ARCHITECTURE.md), as lint rules. Run directly, it writes .oxlintrc.json:
// node scripts/arrows.mjs
import { writeFile } from "node:fs/promises";
import { posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The features of the product in their order: each may use those before it. */
export const features = [
  "guard",
  "moderation",
  "accounts",
  "agents",
  "files",
  "sessions",
  "replies",
  "turns",
  "sharing",
  "exports",
  "site",
];

const adapterFolders = [
  "mailer",
  "model-provider",
  "search-provider",
  "object-store",
  "sms-sender",
  "captcha-verifier",
  "identity-provider",
  "text-extractor",
  "content-filter",
  "region-lookup",
];

const screenFeatures = [
  "conversation",
  "composer",
  "sidebar",
  "header",
  "panels",
  "sharing",
  "sign-in",
  "settings",
  "notices",
];

const server = (...names) => names.map((name) => `server/src/${name}`);
const web = (...names) => names.map((name) => `web/src/${name}`);

/**
 * One row a folder (or file): what it may import besides itself. Targets are folders or files of the repository.
 * `packages: null` allows every package, `host: true` the modules of Node, `protocol: false` refuses the protocol.
 */
export const rows = [
  { at: "protocol/src", to: [], packages: ["zod", "eventsource-parser"], protocol: false },

  { at: "server/src/ports", to: [], packages: [] },
  {
    at: "server/src/platform",
    to: [...server("ports", "config.ts", "events.ts"), "server/migrations"],
    packages: null,
    host: true,
  },
  { at: "server/migrations", to: server("platform/database"), packages: ["kysely"] },
  ...adapterFolders.map((name) => ({
    at: `server/src/adapters/${name}`,
    to: server("ports", "platform", "config.ts"),
    packages: null,
    host: true,
  })),
  {
    at: "server/src/adapters/*.ts",
    to: server("adapters", "ports", "platform", "config.ts"),
    packages: [],
    host: true,
  },
  ...features.map((name, index) => ({
    at: `server/src/features/${name}`,
    to: server(
      "ports",
      "platform",
      "config.ts",
      "events.ts",
      ...features.slice(0, index).map((earlier) => `features/${earlier}`),
    ),
    packages: null,
    host: true,
  })),
  { at: "server/src/config.ts", to: server("platform"), packages: null, host: true },
  { at: "server/src/events.ts", to: server("platform"), packages: [] },
  {
    at: "server/src/app.ts",
    to: server("features", "config.ts", "events.ts", "ports", "platform"),
    packages: null,
    host: true,
  },
  { at: "server/src/operator", to: server("features", "platform"), packages: null, host: true },
  {
    at: "server/src/operator.ts",
    to: server("operator", "config.ts", "platform"),
    packages: [],
    host: true,
  },
  {
    at: "server/src/check-model-file.ts",
    to: server("adapters", "config.ts", "platform"),
    packages: [],
    host: true,
  },
  {
    at: "server/src/main.ts",
    to: server("app.ts", "adapters", "config.ts", "events.ts", "platform"),
    packages: [],
    host: true,
  },

  { at: "web/src/engine", to: [], packages: ["zod", "zustand", "idb", "hash-wasm"] },
  { at: "web/src/hooks", to: web("engine"), packages: null },
  { at: "web/src/ui", to: [], packages: null, protocol: false },
  { at: "web/src/markdown", to: web("ui"), packages: null, protocol: false },
  { at: "web/src/i18n", to: web("engine", "hooks"), packages: null },
  ...screenFeatures.map((name) => ({
    at: `web/src/features/${name}`,
    to: web("hooks", "engine", "ui", "markdown", "i18n"),
    packages: null,
  })),
  { at: "web/src/screens", to: web("features", "hooks", "ui", "i18n", "engine"), packages: null },
  { at: "web/src/app", to: web("."), packages: null },
  { at: "web/src/main.tsx", to: web("."), packages: null },
];

/** Folders may hold folders: a file `depth` levels down reaches its own folder by so many `../`. */
const deepest = 2;

/** The patterns that refuse an import, as in a .gitignore: the last one that matches decides. */
function patterns({ at, to, packages, host = false, protocol = true }, folder, depth) {
  const here = posix.join(folder, ...Array.from({ length: depth }, (_, level) => `level${level}`));
  const reach = (target) => {
    const path = posix.relative(here, target);
    return path.startsWith("..") ? path : posix.join(".", path) === "." ? "." : `./${path}`;
  };
  const isFile = /\.\w+$/.test(at);
  const refused = packages === null ? ["../**", "./**", "node:*", "@plumb/**", "@plumb/*"] : ["**"];
  const own = isFile
    ? []
    : ["!./**", ...Array.from({ length: depth }, (_, level) => `!${"../".repeat(level + 1)}**`)];
  const outside = [`${"../".repeat(depth + 1)}**`];
  const targets = to.map((target) => (/\.\w+$/.test(target) ? `!${reach(target)}` : `!${reach(target)}/**`));
  const named = (packages ?? []).flatMap((name) => [`!${name}`, `!${name}/**`]);
  return [
    ...refused,
    ...own,
    ...outside,
    ...targets,
    ...named,
    ...(host ? ["!node:*", "!node:*/**"] : []),
    ...(protocol ? ["!@plumb/protocol/**"] : []),
  ];
}

function rule(row, folder, depth) {
  const allowed = [
    ...(row.protocol === false ? [] : ["protocol"]),
    ...row.to.map((target) => target.replace(/^(server|web)\/src\//, "")),
    ...(row.packages ?? ["packages"]),
  ];
  const message = `Against the arrows (ARCHITECTURE.md): ${row.at} may import only itself${allowed.length > 0 ? `, ${allowed.join(", ")}` : ""}.`;
  return {
    "no-restricted-imports": ["error", { patterns: [{ group: patterns(row, folder, depth), message }] }],
  };
}

function overridesOf(row) {
  if (/\.\w+$/.test(row.at)) {
    return [{ files: [row.at], rules: rule(row, posix.dirname(row.at), 0) }];
  }
  return Array.from({ length: deepest + 1 }, (_, depth) => ({
    files: [`${row.at}${"/*".repeat(depth)}/*.{ts,tsx}`],
    rules: rule(row, row.at, depth),
  }));
}

const plugins = ["typescript", "unicorn", "oxc", "vitest"];

const turnedOff = (names) => Object.fromEntries(names.map((name) => [name, "off"]));

/** What the default set refuses and this house does: each would cost clarity and find no fault. */
const rulesOff = [
  "typescript/unbound-method",
  "typescript/no-misused-spread",
  "typescript/restrict-template-expressions",
  "typescript/require-array-sort-compare",
  "unicorn/no-useless-spread",
  "require-yield",
  "vitest/expect-expect",
  "vitest/no-conditional-expect",
  "vitest/no-conditional-tests",
  "vitest/require-mock-type-parameters",
  "vitest/require-to-throw-message",
];

/** The React compiler's rules (there is no compiler here), and what axe judges better on the real page. */
const screenRulesOff = [
  "react/set-state-in-effect",
  "react/purity",
  "react/refs",
  "jsx-a11y/no-autofocus",
  "jsx-a11y/prefer-tag-over-role",
  "jsx-a11y/no-noninteractive-tabindex",
  "jsx-a11y/click-events-have-key-events",
  "jsx-a11y/no-noninteractive-element-interactions",
];

/** The whole lint configuration: style and arrows. */
export function lintConfig() {
  return {
    $schema: "./node_modules/oxlint/configuration_schema.json",
    plugins,
    categories: { correctness: "error" },
    options: { typeAware: true },
    ignorePatterns: ["node_modules", "dist", ".runtime", ".extras", ".cache", "data", "web/public"],
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
      "no-empty": "error",
      "typescript/no-explicit-any": "error",
      "typescript/ban-ts-comment": "error",
      "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "typescript/no-floating-promises": "error",
      "typescript/no-misused-promises": "error",
      "typescript/await-thenable": "error",
      "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "vitest/no-focused-tests": "error",
      "vitest/no-disabled-tests": "error",
      "vitest/valid-expect": ["error", { maxArgs: 2 }],
      ...turnedOff(rulesOff),
    },
    overrides: [
      {
        files: ["web/src/**/*.tsx"],
        plugins: [...plugins, "react", "jsx-a11y"],
        rules: {
          "react/rules-of-hooks": "error",
          "react/exhaustive-deps": "error",
          ...turnedOff(screenRulesOff),
        },
      },
      ...rows.flatMap(overridesOf),
      // Tests stand outside the arrows: they may take the whole application. Its last word wins.
      { files: ["**/*.test.{ts,tsx}", "**/*.fixture.ts"], rules: { "no-restricted-imports": "off" } },
    ],
  };
}

export const lintFile = fileURLToPath(new URL("../.oxlintrc.json", import.meta.url));

export function lintText() {
  return `${JSON.stringify(lintConfig(), null, 2)}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeFile(lintFile, lintText());
}
