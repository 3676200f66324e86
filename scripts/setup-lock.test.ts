import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { alone } from "./setup-lock.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumb-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a lock that was left by a process of the same number, as in a container that begins anew, is nobody's", async () => {
  const at = join(folder, "setup.lock");
  writeFileSync(at, String(process.pid));
  expect(await alone(async () => "done", { at })).toBe("done");
  expect(existsSync(at)).toBe(false);
}, 2000);

it("two at once do their work one after the other, also in one process", async () => {
  const at = join(folder, "setup.lock");
  const done: string[] = [];
  const work = (name: string) => async () => {
    done.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    done.push(`${name} ends`);
  };
  await Promise.all([alone(work("a"), { at }), alone(work("b"), { at })]);
  // Whichever comes first.
  const [first, last] = done[0] === "a begins" ? ["a", "b"] : ["b", "a"];
  expect(done).toEqual([`${first} begins`, `${first} ends`, `${last} begins`, `${last} ends`]);
});
