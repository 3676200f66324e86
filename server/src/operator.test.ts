import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./operator.ts", import.meta.url));

describe("operator commands", () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), "plumb-operator-"));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  function operate(...parameters: string[]) {
    const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...parameters], {
      cwd: dataDir,
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  it("makes the schema, finds nothing wrong, and then finds what was spoilt", () => {
    expect(operate("migrate")).toMatchObject({ status: 0 });
    expect(operate("check")).toMatchObject({
      status: 0,
      stdout: "0 sessions and 0 replies checked, 0 violations\n",
    });
    const db = new DatabaseSync(join(dataDir, "plumb.db"));
    db.exec("insert into stream_log (reply, epoch, first_id, at, events) values (7, 1, 1, 1, '[]')");
    db.close();
    expect(operate("check")).toMatchObject({
      status: 1,
      stdout: "I8  reply 7: it is gone and has a log\n0 sessions and 0 replies checked, 1 violations\n",
    });
  }, 30_000);

  it("finds no data where there is none, and makes none", () => {
    const nowhere = join(dataDir, "nowhere");
    const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: nowhere };
    const { status, stderr } = spawnSync(process.execPath, [program, "check"], {
      cwd: dataDir,
      env,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("is not there") });
    expect(existsSync(nowhere)).toBe(false);
  }, 30_000);

  it("says what there is when asked for nothing or something else", () => {
    expect(operate()).toMatchObject({ status: 2, stderr: expect.stringContaining("check") });
    expect(operate("destroy").status).toBe(2);
  }, 30_000);
});
