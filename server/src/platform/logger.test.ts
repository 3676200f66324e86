import pg from "pg";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

test("a line of the log is one line of JSON that a terminal does not act on", () => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  log.info({ model: "a\u001b[2J\u009b2J\u202e\nb" }, "said \u009b1m");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{[ -~]+\}\n$/u);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    model: "a\u001b[2J\u009b2J\u202e\nb",
    msg: "said \u009b1m",
  });
});

test("of an error of PostgreSQL the log has what went wrong, and not the row that it went wrong with", () => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const error = Object.assign(new pg.DatabaseError("duplicate key value", 5, "error"), {
    code: "23505",
    constraint: "users_email_key",
    detail: "Key (email)=(someone@example.org) already exists.",
    where: "JSON data, line 1: what somebody wrote",
    internalQuery: "select 'what somebody wrote'",
  });
  log.child({ trace: "1" }).error({ err: error }, "a request failed");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    err: { message: "duplicate key value", code: "23505", constraint: "users_email_key" },
  });
  expect(lines.join("")).not.toMatch(/someone|somebody/u);
});
