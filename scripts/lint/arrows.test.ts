// An import against the arrows must fail the lint, and one along them must pass: oxlint itself tries planted files.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inProject } from "../paths.mjs";
import { features, rowOf, rows, whyRefused } from "./arrows.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumb-arrows-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** What oxlint says of one planted file by the house's own rules alone. */
function lint(path: string, source: string): string[] {
  writeFileSync(
    join(folder, ".oxlintrc.json"),
    JSON.stringify({
      plugins: [],
      jsPlugins: [inProject("scripts", "lint", "house-plugin.ts")],
      categories: { correctness: "off" },
      rules: {
        "house/arrows": "error",
        "house/sql-in-stores": "error",
        "house/journey-asserts": "error",
      },
    }),
  );
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${source}\n`);
  const oxlint = inProject("node_modules", "oxlint", "bin", "oxlint");
  const { stdout } = spawnSync(process.execPath, [oxlint, "--format=json"], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(file);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string }[] };
  return diagnostics.map(({ message }) => message);
}

const againstTheArrows = [expect.stringContaining("Against the arrows")];

describe("planted imports", () => {
  const upward: [string, string][] = [
    ["protocol/src/wire/guard.ts", 'import "node:crypto";'],
    ["protocol/src/wire/guard.ts", 'import "../../../server/src/app.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'import "../sessions/session-store.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'import type { X } from "../turns/start-turn.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'export { x } from "../../app.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'await import("../../adapters/build-ports.ts");'],
    ["server/src/features/accounts/deep/part.ts", 'import "../../sessions/session-store.ts";'],
    [
      "server/src/features/accounts/one/two/three/four/part.ts",
      'import "../../../../../sessions/session-store.ts";',
    ],
    ["web/src/features/composer/one/two/three/part.tsx", 'import "../../../../sidebar/sidebar.tsx";'],
    ["protocol/src/wire/one/two/three/part.ts", 'import "react";'],
    ["server/src/ports/clock.ts", 'import "../platform/ids.ts";'],
    ["server/src/ports/clock.ts", 'type X = import("../platform/ids.ts").X;'],
    ["server/src/platform/ids.ts", 'import "../features/guard/rate-limit.ts";'],
    ["server/src/adapters/mailer/smtp-mailer.ts", 'import "../model-provider/demo-model.ts";'],
    ["server/src/app.ts", 'import "./adapters/build-ports.ts";'],
    ["web/src/engine/turns/run-turn.ts", 'import "react";'],
    ["web/src/engine/turns/run-turn.ts", 'import "../../hooks/use-engine.tsx";'],
    ["web/src/hooks/use-media.ts", 'import "../features/composer/composer.tsx";'],
    ["web/src/ui/button.tsx", 'import "../engine/engine.ts";'],
    ["web/src/markdown/math.tsx", 'import "../features/composer/composer.tsx";'],
    ["web/src/features/composer/composer.tsx", 'import "../sidebar/sidebar.tsx";'],
    ["web/src/features/conversation/fragments/tip-fragment.tsx", 'import "../../composer/composer.tsx";'],
    ["web/src/features/composer/composer.tsx", 'import "../../../../server/src/app.ts";'],
    ["web/src/screens/home-screen.tsx", 'import "../app/app.tsx";'],
  ];

  it.each(upward)("%s refuses %s", (path, source) => {
    expect(lint(path, source)).toEqual(againstTheArrows);
  });

  const along: [string, string][] = [
    ["protocol/src/wire/guard.ts", 'import "../stream/delta.ts"; import "zod/mini";'],
    ["server/src/features/accounts/sign-in.ts", 'import "../guard/rate-limit.ts"; import "./sign-up.ts";'],
    [
      "server/src/features/accounts/sign-in.ts",
      'import "../../events.ts"; import "@plumb/protocol/wire/accounts";',
    ],
    [
      "server/src/features/accounts/deep/part.ts",
      'import "../sign-in.ts"; import "../../guard/rate-limit.ts";',
    ],
    [
      "server/src/features/accounts/one/two/three/part.ts",
      'import "../../../sign-in.ts"; import "../../../../guard/rate-limit.ts"; import "../../../../../ports/clock.ts";',
    ],
    ["server/src/app.ts", 'import "./features/guard/guard-routes.ts"; import "node:fs";'],
    ["server/src/main.ts", 'import "./app.ts"; import "./adapters/build-ports.ts";'],
    ["web/src/engine/turns/run-turn.ts", 'import "../sessions/history.ts"; import "zustand/vanilla";'],
    [
      "web/src/features/conversation/fragments/tip-fragment.tsx",
      'import "../welcome.tsx"; import "../../../ui/icon.tsx";',
    ],
    ["web/src/screens/home-screen.tsx", 'import "../features/composer/composer.tsx"; import "react";'],
  ];

  it.each(along)("%s allows %s", (path, source) => {
    expect(lint(path, source)).toEqual([]);
  });

  it("refuses a file that no row names", () => {
    expect(lint("server/src/features/chess/play.ts", 'import "./board.ts";')).toEqual([
      expect.stringContaining("stands in no row"),
    ]);
  });

  it("lets tests import the whole application", () => {
    expect(lint("server/src/features/accounts/sign-in.test.ts", 'import "../../app.ts";')).toEqual([]);
  });
});

describe("the rows", () => {
  it("allow each feature those before it and none after it, at any depth", () => {
    features.forEach((name, index) => {
      for (let depth = 0; depth < 6; depth++) {
        const file = `server/src/features/${name}/${"part/".repeat(depth)}planted.ts`;
        const up = "../".repeat(depth + 1);
        features.forEach((other, place) => {
          const why = whyRefused(file, `${up}${other}/x.ts`);
          if (place > index) expect(why, `${file} → ${other}`).toContain("Against the arrows");
          else expect(why, `${file} → ${other}`).toBeNull();
        });
      }
    });
  });

  it("are each found by a file of theirs", () => {
    for (const row of rows) {
      const file = /\.\w+$/.test(row.at) ? row.at.replace("*", "planted") : `${row.at}/deep/er/planted.ts`;
      expect(rowOf(file)?.at).toBe(row.at);
    }
  });
});

describe("planted SQL", () => {
  const statement = 'db.selectFrom("users").selectAll();';
  it.each([
    ["server/src/features/accounts/sign-up.ts", statement],
    ["server/src/features/accounts/deep/er/sign-up.ts", "await sql`select 1`.execute(db);"],
    ["server/src/operator/check.ts", 'db.deleteFrom("users");'],
  ])("%s may not hold %s", (path, source) => {
    expect(lint(path, source)).toEqual([expect.stringContaining("belongs into a …-store.ts")]);
  });

  it.each([
    ["server/src/features/accounts/user-store.ts", statement],
    ["server/src/features/accounts/user-store.test.ts", statement],
    ["server/src/platform/database/migrate.ts", "await sql`select 1`.execute(db);"],
    ["server/migrations/0001-first.ts", 'db.deleteFrom("users");'],
    ["web/src/ui/list.ts", 'list.selectFrom("users");'],
    ["server/src/features/accounts/sign-up.ts", 'log.info("insertInto");'],
  ])("%s may hold %s", (path, source) => {
    expect(lint(path, source)).toEqual([]);
  });
});

describe("a planted journey", () => {
  it.each([
    ['test("a", async ({ page }) => page.reload());', ["This journey asserts nothing."]],
    ['test("a", async ({ page }) => { await expect(page).toHaveURL("/"); });', []],
    ['test("a", async ({ page }) => expectNoViolations(page));', []],
  ])("%s", (source, messages) => {
    expect(lint("e2e/journeys/planted.spec.ts", source)).toEqual(messages);
  });
});
