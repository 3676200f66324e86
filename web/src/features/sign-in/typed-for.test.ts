import { expect, test } from "vitest";
import { typedFor } from "./typed-for.ts";

test.each([
  ["ada@example.com", "ada@example.com", ""],
  ["ada", "ada", ""],
  ["1380013", "", "1380013"],
  ["+86 138-0013-8000", "", "13800138000"],
  ["１３８", "", "138"],
  ["123@example.com", "123@example.com", ""],
  ["", "", ""],
])("of %s an email's field takes %s, a phone's %s", (typed, email, mobile) => {
  expect([typedFor("email", typed), typedFor("mobile", typed)]).toEqual([email, mobile]);
});
