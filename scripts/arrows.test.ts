// An import against the arrows must fail the lint, and one along them must pass: tried on a copy of the configuration.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { features, lintConfig, lintFile, lintText } from "./arrows.mjs";
import { inProject } from "./paths.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumb-arrows-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Lints one planted file by the arrows alone; true when it is refused. */
function isRefused(path: string, source: string): boolean {
  const { overrides } = lintConfig();
  const arrowsOnly = overrides.filter((override) => "no-restricted-imports" in override.rules);
  writeFileSync(
    join(folder, ".oxlintrc.json"),
    JSON.stringify({ plugins: [], categories: { correctness: "off" }, overrides: arrowsOnly }),
  );
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${source}\n`);
  try {
    execFileSync(process.execPath, [inProject("node_modules", "oxlint", "bin", "oxlint"), path], {
      cwd: folder,
      stdio: "pipe",
    });
    return false;
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    expect(output).toContain("Against the arrows");
    return true;
  } finally {
    rmSync(file);
  }
}

describe("planted imports", () => {
  const upward: [string, string][] = [
    ["protocol/src/wire/guard.ts", 'import "node:crypto";'],
    ["protocol/src/wire/guard.ts", 'import "../../../server/src/app.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'import "../sessions/session-store.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'import type { X } from "../turns/start-turn.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'export { x } from "../../app.ts";'],
    ["server/src/features/accounts/sign-in.ts", 'await import("../../adapters/build-ports.ts");'],
    ["server/src/features/accounts/deep/part.ts", 'import "../../sessions/session-store.ts";'],
    ["server/src/ports/clock.ts", 'import "../platform/ids.ts";'],
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
    expect(isRefused(path, source)).toBe(true);
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
    expect(isRefused(path, source)).toBe(false);
  });

  it("allows each feature those before it and none after it", () => {
    const planted = features.map((name) => `server/src/features/${name}/planted.ts`);
    features.forEach((name, index) => {
      if (index + 1 < features.length) {
        expect(isRefused(planted[index] ?? "", `import "../${features[index + 1]}/x.ts";`), name).toBe(true);
      }
      if (index > 0)
        expect(isRefused(planted[index] ?? "", `import "../${features[index - 1]}/x.ts";`), name).toBe(false);
    });
  });
});

it("the lint configuration in the tree is the generated one", async () => {
  const prettier = await import("prettier");
  const written = await prettier.format(lintText(), { parser: "json", printWidth: 110 });
  expect(readFileSync(lintFile, "utf8")).toBe(written);
});
