import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { appendToOutbox, type OutboxMessage, pruneOutbox } from "./outbox.ts";

const nowMs = Date.parse("2027-01-15T08:00:00Z");
const message = (to: string, at: string): OutboxMessage => ({
  at,
  channel: "email",
  to,
  scenario: "register",
  code: "012345",
});
const peopleIn = (folder: string): string[] =>
  readFileSync(join(folder, "outbox.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as OutboxMessage).to);

test("old lines go, and what is no line; what comes meanwhile is kept", async () => {
  const folder = temporaryFolder("outbox");
  await appendToOutbox(folder, message("old@x.org", "2027-01-14T07:59:59Z"));
  writeFileSync(join(folder, "outbox.jsonl"), "cut of\n", { flag: "a" });
  await appendToOutbox(folder, message("young@x.org", "2027-01-15T07:00:00Z"));
  const coming = Array.from({ length: 20 }, (_none, index) => `new${index}@x.org`);
  await Promise.all([
    ...coming.slice(0, 10).map((to) => appendToOutbox(folder, message(to, "2027-01-15T08:00:00Z"))),
    pruneOutbox(folder, nowMs - 24 * 3_600_000),
    ...coming.slice(10).map((to) => appendToOutbox(folder, message(to, "2027-01-15T08:00:00Z"))),
  ]);
  expect(peopleIn(folder)).toEqual(["young@x.org", ...coming]);
  expect(statSync(join(folder, "outbox.jsonl")).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, "outbox.jsonl.next"))).toBe(false);
});

test("an outbox of young lines is left as it is, and none is made where there is none", async () => {
  const folder = temporaryFolder("outbox");
  await pruneOutbox(folder, nowMs);
  expect(existsSync(join(folder, "outbox.jsonl"))).toBe(false);
  await appendToOutbox(folder, message("young@x.org", "2027-01-15T08:00:00Z"));
  const { ino } = statSync(join(folder, "outbox.jsonl"));
  await pruneOutbox(folder, nowMs);
  expect(statSync(join(folder, "outbox.jsonl")).ino).toBe(ino);
});
