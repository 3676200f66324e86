import { expect, test } from "vitest";
import { muteTime } from "./mute-time.ts";

const now = Date.UTC(2026, 10, 22, 12);

test.each([
  ["90m", "2026-11-22T13:30:00.000Z"],
  ["12h", "2026-11-23T00:00:00.000Z"],
  ["7d", "2026-11-29T12:00:00.000Z"],
  ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["2027-01-31T18:00", "2027-01-31T18:00:00.000Z"],
  ["2027-01-31T18:00:05.5Z", "2027-01-31T18:00:05.500Z"],
  ["2027-01-31T18:00+08:00", "2027-01-31T10:00:00.000Z"],
])("%s is %s", (text, moment) => {
  expect(new Date(muteTime(text, now)).toISOString()).toBe(moment);
});

test.each([
  "",
  "soon",
  "7",
  "7w",
  "-7d",
  "1.5h",
  "2027",
  "31.01.2027",
  "2027-13-01",
  "2027-01-31 18:00",
  "2027-01-31T25:00",
  "2027-02-29",
  "2027-02-31T18:00+08:00",
])("%j is no time", (text) => {
  expect(() => muteTime(text, now)).toThrow(/^--until .*is no time: give a span such as 90m/u);
});

test.each(["0m", "2026-11-22", "2026-11-22T12:00Z", "1999-01-01"])("%s is not in the future", (text) => {
  expect(() => muteTime(text, now)).toThrow(`--until ${text} is not in the future.`);
});
