import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makePrivate } from "./private-files.ts";

describe.skipIf(process.platform === "win32")("what others may read", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plumb-private-"));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string) => {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), 0o664);
  };
  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);

  test("of a folder of the product's own files nothing, and nothing of the user's rights is lost", () => {
    const own = ["plumb.db", "plumb.db-wal", "plumb.db-shm", "lock.db", "secret.key", "outbox.jsonl"];
    for (const name of own) put(name);
    expect(makePrivate(folder)).toEqual([]);
    expect(own.map(modeOf)).toEqual(own.map(() => "600"));
    expect(modeOf(".")).toBe("700");
  });

  test("a folder with files of others stays open, and so do they", () => {
    put("plumb.db");
    put("model.gguf");
    expect(makePrivate(folder)).toEqual([]);
    expect(["plumb.db", "model.gguf", "."].map(modeOf)).toEqual(["600", "664", "755"]);
  });

  test("a folder for several users stays one", () => {
    chmodSync(folder, 0o1777);
    put("plumb.db");
    expect(makePrivate(folder)).toEqual([]);
    expect(["plumb.db", "."].map(modeOf)).toEqual(["600", "777"]);
  });

  test("what a link leads to stays as it is", () => {
    put("elsewhere");
    symlinkSync(join(folder, "elsewhere"), join(folder, "plumb.db"));
    expect(makePrivate(folder)).toEqual([]);
    expect(modeOf("elsewhere")).toBe("664");
  });
});
