import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { prepareDataFolder } from "./data-folder.ts";
import { StartError } from "./start-error.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "plumb-folder-"));
});
afterEach(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true, force: true });
});

function problem(dataDir: string): string {
  try {
    prepareDataFolder(dataDir);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
  throw new Error(`${dataDir} was taken`);
}

describe("the data folder", () => {
  test("is made with what is missing above it, for its user alone, and left empty", () => {
    const folder = join(root, "one", "two");
    prepareDataFolder(folder);
    prepareDataFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("may be there already, with what it holds", () => {
    mkdirSync(join(root, "data"), { mode: 0o755 });
    writeFileSync(join(root, "data", "plumb.db"), "kept");
    prepareDataFolder(join(root, "data"));
    expect(readdirSync(join(root, "data"))).toEqual(["plumb.db"]);
  });

  test("is no file, and lies in none", () => {
    const file = join(root, "file");
    writeFileSync(file, "");
    expect(problem(file)).toBe(
      `The data folder ${file} cannot be made: ${file} is a file. Choose another with DATA_DIR.`,
    );
    expect(problem(join(file, "data", "deeper"))).toContain(`${file} is a file.`);
  });

  // The kernel's own folders take no files from anyone, the superuser included.
  test.runIf(process.platform === "linux")("is told in one sentence where nothing can be made", () => {
    expect(problem("/proc/nope")).toBe(
      "The data folder /proc/nope cannot be made: this place takes no files. Choose another with DATA_DIR.",
    );
    expect(problem("/proc/nope/deeper")).toContain("cannot be made");
    expect(problem("/proc")).toMatch(/^The data folder \/proc cannot be written: .*\. Choose another/u);
  });

  test.runIf(process.getuid?.() !== 0)("is told when it is read-only", () => {
    chmodSync(root, 0o500);
    expect(problem(root)).toBe(
      `The data folder ${root} cannot be written: this user has no permission. Choose another with DATA_DIR.`,
    );
    expect(problem(join(root, "data"))).toContain("cannot be made: this user has no permission");
  });
});
