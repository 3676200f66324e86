import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { createOutboxMailer } from "./outbox-mailer.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plumb-outbox-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const clock = new TestClock();

test("appends one JSON object a line, readable by its owner alone, and prints it in the log", async () => {
  const printed: string[] = [];
  const log = pino(
    new Writable({ write: (chunk, _encoding, done) => (printed.push(String(chunk)), done()) }),
  );
  const mailer = createOutboxMailer({ dataDir: join(dataDir, "made"), log, clock });
  expect(mailer.kind).toBe("outbox");
  await mailer.sendCode({ to: "a@example.com", code: "012345", scenario: "register", locale: "en_US" });
  expect(statSync(join(dataDir, "made")).mode & 0o777).toBe(0o700);
  const file = join(dataDir, "made", "outbox.jsonl");
  expect(readFileSync(file, "utf8")).toBe(
    '{"at":"2027-01-15T08:00:00.000Z","channel":"email","to":"a@example.com","scenario":"register","code":"012345"}\n',
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(printed[0] ?? "")).toMatchObject({
    channel: "email",
    to: "a@example.com",
    scenario: "register",
    code: "012345",
  });
});

test("keeps whole lines when many are written at once, and closes a file that others could read", async () => {
  writeFileSync(join(dataDir, "outbox.jsonl"), "", { mode: 0o644 });
  const mailer = createOutboxMailer({ dataDir, log: pino({ level: "silent" }), clock });
  const codes = Array.from({ length: 50 }, (_, index) => String(index).padStart(6, "0"));
  await Promise.all(
    codes.map((code) => mailer.sendCode({ to: "b@x.org", code, scenario: "bind_email", locale: "zh_CN" })),
  );
  const lines = readFileSync(join(dataDir, "outbox.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { code: string }).code).sort()).toEqual(codes);
  expect(statSync(join(dataDir, "outbox.jsonl")).mode & 0o777).toBe(0o600);
});

test("a notice stands in the outbox with its link, which the log does not have", async () => {
  const printed: string[] = [];
  const log = pino(
    new Writable({ write: (chunk, _encoding, done) => (printed.push(String(chunk)), done()) }),
  );
  const mailer = createOutboxMailer({ dataDir, log, clock });
  const link = "https://chat.example.org/undo_binding#secret";
  await mailer.sendNotice({ to: "a@x.org", notice: { about: "phone_bound", link }, locale: "en_US" });
  expect(JSON.parse(readFileSync(join(dataDir, "outbox.jsonl"), "utf8"))).toEqual({
    at: "2027-01-15T08:00:00.000Z",
    channel: "email",
    to: "a@x.org",
    scenario: "phone_bound",
    link,
  });
  expect(printed.join("")).toContain("phone_bound");
  expect(printed.join("")).not.toContain("secret");
});
