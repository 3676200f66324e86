// Which tests need a worker of their own.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What puts something else in the place of a module, or makes modules anew; and what draws on a page of its own, whose elements
 * it changes, and of which React and the dialogs find out what it can do as their code loads.
 */
const ownModules = /\bvi\.(?:mock|doMock|resetModules)\(|\bopenDrawnPage\(/u;

/**
 * Those of the test files below `folder` that `pattern` names and that have modules of their own: others that run in the same
 * worker would get those, too, or they theirs. Paths from `folder` on.
 */
export function testsApart(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder }).filter((file) =>
    ownModules.test(readFileSync(join(folder, file), "utf8")),
  );
}
