import { expect, test } from "vitest";
import { DatabaseUnavailable } from "./database/database-unavailable.ts";
import { codeOf, messageOf } from "./error-words.ts";

test.each([
  [Object.assign(new Error("no"), { code: "ENOENT" }), "ENOENT", "no"],
  [new Error("no"), undefined, "no"],
  [Object.assign(new Error("no"), { code: 20 }), undefined, "no"],
  ["no", undefined, "no"],
  [null, undefined, "null"],
  // Of a name with several addresses, none of which answers, such as localhost.
  [
    Object.assign(new AggregateError([new Error("refused ::1:5432"), new Error("refused 127.0.0.1:5432")]), {
      code: "ECONNREFUSED",
    }),
    "ECONNREFUSED",
    "refused ::1:5432, refused 127.0.0.1:5432",
  ],
])("%s: the code is %s, the words are %s", (error, code, message) => {
  expect(codeOf(error)).toBe(code);
  expect(messageOf(error)).toBe(message);
  expect(new DatabaseUnavailable(error).message).toBe(`the database cannot answer now: ${message}`);
});
