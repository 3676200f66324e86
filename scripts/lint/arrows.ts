// The direction of every import (ARCHITECTURE.md): what each folder may import. Pure.
import { posix } from "node:path";

/** The features of the product in their order: each may use those before it. */
export const features = [
  "guard",
  "moderation",
  "accounts",
  "oauth",
  "agents",
  "files",
  "sessions",
  "feedback",
  "search",
  "replies",
  "turns",
  "sharing",
  "exports",
  "imports",
  "site",
];

const adapterFolders = [
  "ip-regions",
  "mailer",
  "model-provider",
  "search-provider",
  "object-store",
  "sms-sender",
  "captcha-verifier",
  "identity-provider",
  "document-reader",
  "conversation-reader",
  "content-filter",
  "risk-classifier",
  "region-lookup",
];

const screenFeatures = [
  "captcha",
  "conversation",
  "agents",
  "composer",
  "sidebar",
  "history-search",
  "header",
  "panels",
  "sharing",
  "sign-in",
  "settings",
  "notices",
  "debug",
];

const server = (...names: string[]) => names.map((name) => `server/src/${name}`);
const web = (...names: string[]) => names.map((name) => `web/src/${name}`);

/** What a folder, or a file, may import besides itself. */
export interface Row {
  /** A folder or file of the repository; `folder/*.ts` = the files of the folder alone, without those below it. */
  at: string;
  /** Folders and files of the repository. */
  to: readonly string[];
  /** Packages by name; null = every package. */
  packages: readonly string[] | null;
  /** True = the modules of Node, too. */
  host?: boolean;
  /** False = the protocol not. */
  protocol?: boolean;
}

export const rows: readonly Row[] = [
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
  { at: "server/src/settings.ts", to: server("platform"), packages: null, host: true },
  { at: "server/src/config.ts", to: server("settings.ts", "platform"), packages: null, host: true },
  { at: "server/src/events.ts", to: server("platform"), packages: [] },
  {
    at: "server/src/app.ts",
    to: server("features", "config.ts", "events.ts", "ports", "platform"),
    packages: null,
    host: true,
  },
  { at: "server/src/operator", to: server("features", "platform", "ports"), packages: null, host: true },
  {
    at: "server/src/operator.ts",
    to: server("operator", "adapters/object-store", "config.ts", "platform", "ports"),
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

  { at: "web/src/engine", to: [], packages: ["zod", "zustand", "hash-wasm", "@noble/hashes"] },
  { at: "web/src/hooks", to: web("engine"), packages: null },
  { at: "web/src/ui", to: [], packages: null, protocol: false },
  { at: "web/src/markdown", to: web("ui"), packages: null },
  { at: "web/src/i18n", to: web("engine", "hooks"), packages: null },
  ...screenFeatures.map((name) => ({
    at: `web/src/features/${name}`,
    to: web("hooks", "engine", "ui", "markdown", "i18n"),
    packages: null,
  })),
  { at: "web/src/screens", to: web("features", "hooks", "ui", "i18n", "engine"), packages: null },
  { at: "web/src/service-worker", to: web("app/paths.ts", "engine/site/locale.ts", "i18n"), packages: [] },
  { at: "web/src/app", to: ["web/src", "web/package.json"], packages: null },
  { at: "web/src/main.tsx", to: ["web/src"], packages: null },
];

/** The folders in which every file must have a row. Tests and fixtures may import the whole application. */
const held = ["protocol/src/", "server/src/", "server/migrations/", "web/src/"];

/** True when the arrows say what this file may import. */
export function isHeld(file: string): boolean {
  return held.some((folder) => file.startsWith(folder)) && !/\.(test\.tsx?|fixture\.ts)$/.test(file);
}

/** The row of a file: the one that names it most exactly. */
export function rowOf(file: string): Row | undefined {
  const isAt = ({ at }: Row): boolean => {
    if (at.endsWith("/*.ts")) return posix.dirname(file) === posix.dirname(at) && file.endsWith(".ts");
    return file === at || file.startsWith(`${at}/`);
  };
  return rows.filter(isAt).toSorted((one, other) => other.at.length - one.at.length)[0];
}

const isUnder = (path: string, target: string) =>
  target === "." || path === target || path.startsWith(`${target}/`);

/**
 * Why a file may not import something: a sentence, or null when it may. `file` is a path in the repository with slashes,
 * at whatever depth; `specifier` is the text between the quotes.
 */
export function whyRefused(file: string, specifier: string): string | null {
  if (!isHeld(file)) return null;
  const row = rowOf(file);
  if (row === undefined)
    return `${file} stands in no row of scripts/lint/arrows.ts: say there what it may import.`;
  return isAllowed(row, file, specifier) ? null : refusal(row);
}

function isAllowed(row: Row, file: string, specifier: string): boolean {
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier.split("?")[0] ?? "");
    return [row.at, ...row.to].some((folder) => isUnder(target, folder));
  }
  if (specifier.startsWith("@plumb/")) {
    return isUnder(specifier, "@plumb/protocol") && row.protocol !== false;
  }
  if (specifier.startsWith("node:")) return row.host === true;
  return row.packages === null || row.packages.some((name) => isUnder(specifier, name));
}

function refusal({ at, to, packages, host, protocol }: Row): string {
  const allowed = [
    ...(protocol === false ? [] : ["protocol"]),
    ...to.map((target) => target.replace(/^(server|web)\/src\//, "")),
    ...(host === true ? ["Node's modules"] : []),
    ...(packages ?? ["packages"]),
  ];
  return `Against the arrows (ARCHITECTURE.md): ${at} may import only itself${allowed.length > 0 ? `, ${allowed.join(", ")}` : ""}.`;
}
