import { expect, test } from "vitest";
import { retryAfterOf } from "./retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const at = (secs: number) => new Date(now + secs * 1000).toUTCString();

test.each<[string, Record<string, string>, number | null]>([
  ["seconds", { "retry-after": "12" }, 12],
  ["a part of a second", { "retry-after": "0.4" }, 1],
  ["a date of the endpoint's clock", { "retry-after": at(90), date: at(60) }, 30],
  ["a date, but not its own clock", { "retry-after": at(45) }, null],
  ["a date that is past", { "retry-after": at(-45), date: at(0) }, null],
  ["no time at all", { "retry-after": "soon" }, null],
  ["no wait", { "retry-after": "0" }, null],
  ["a day and more", { "retry-after": "86401" }, null],
  ["nothing", {}, null],
])("an endpoint that says %s", (_name, headers, secs) => {
  expect(retryAfterOf(headers)).toBe(secs);
});
