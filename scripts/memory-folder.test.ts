import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openMemoryFolder } from "./memory-folder.mjs";

it("leaves a choice of whoever starts the tests as it is", () => {
  const env = { TMPDIR: "/somewhere" };
  const memory = openMemoryFolder(env);
  expect(memory.env).toBe(env);
  memory.remove();
});

it("is a folder in memory that PostgreSQL's user can pass through, is gone afterwards, and takes away what a killed run left", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const left = `/dev/shm/plumb-tests-${pid}-left`;
  const memory = openMemoryFolder({});
  const folder = memory.env["TMPDIR"];
  // No such memory here, or too little of it: the tests go on, on the disk.
  if (folder === undefined) return;
  expect(memory.env["TEST_MEMORY_FOLDER"]).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
  mkdirSync(left);
  const second = openMemoryFolder({});
  expect([existsSync(left), existsSync(folder)]).toEqual([false, true]);
  second.remove();
  writeFileSync(`${folder}/file`, "");
  memory.remove();
  rmSync(left, { recursive: true, force: true });
  expect(existsSync(folder)).toBe(false);
});
