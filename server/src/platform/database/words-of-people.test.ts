import { expect, test } from "vitest";
import { deletesWords } from "./words-of-people.ts";

test.each([
  ['delete from "messages" where "session_id" = ?', true],
  ['delete from "message" where "session_id" = ?', false],
  ["DELETE  FROM users WHERE id = 1", true],
  ['delete from "stream_log" where "reply" = ?', false],
  ['insert into "users" ("id") values (\'delete from "users"\')', false],
  ['update "messages" set "status" = ?', false],
])("%s: %s", (sql, is) => {
  expect(deletesWords(sql)).toBe(is);
});
