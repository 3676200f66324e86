import { expect, test } from "vitest";
import { groupSessions, neighbourOf } from "./session-groups.ts";

const now = new Date(2026, 2, 15, 0, 30).getTime();
const at = (...date: [number, number, number, number?, number?]) => ({
  updated_at: new Date(...date).getTime() / 1000,
  pinned: false,
});

function headings(...sessions: { updated_at: number; pinned: boolean }[]) {
  return groupSessions(sessions, now).map((group) => group.heading);
}

test.each<[string, [number, number, number, number?, number?], string]>([
  ["half an hour ago on the same day", [2026, 2, 15, 0, 0], "today"],
  ["a minute before midnight", [2026, 2, 14, 23, 59], "yesterday"],
  ["the first minute of yesterday", [2026, 2, 14, 0, 0], "yesterday"],
  ["two days ago", [2026, 2, 13, 12], "week"],
  ["six days ago", [2026, 2, 9, 0, 0], "week"],
  ["seven days ago", [2026, 2, 8, 23, 59], "month"],
  ["29 days ago", [2026, 1, 14], "month"],
  ["30 days ago", [2026, 1, 13, 23], "2026-02"],
  ["last year", [2025, 10, 2], "2025-11"],
  ["a clock ahead of ours", [2026, 2, 16], "today"],
])("%s is under its heading [SESS-015]", (_title, date, heading) => {
  expect(headings(at(...date))).toEqual([heading]);
});

test("newest first, whatever the order they came in [SESS-017]", () => {
  const old = at(2025, 0, 3);
  const older = at(2025, 0, 2);
  const today = at(2026, 2, 15);
  expect(groupSessions([older, today, old], now)).toEqual([
    { heading: "today", sessions: [today] },
    { heading: "2025-01", sessions: [old, older] },
  ]);
});

test("no sessions, no headings", () => {
  expect(headings()).toEqual([]);
});

test("the neighbours of a chat are those above and below it, and none past an end", () => {
  const chats = [
    { id: "old", updated_at: 2, pinned: false },
    { id: "new", updated_at: 4, pinned: false },
    { id: "middle", updated_at: 3, pinned: false },
  ];
  const from = (id: string | null, step: 1 | -1) => neighbourOf(chats, id, step)?.id ?? null;
  expect([from("middle", -1), from("middle", 1), from("new", -1), from("old", 1)]).toEqual([
    "new",
    "old",
    null,
    null,
  ]);
  expect([from(null, 1), from("gone", -1), neighbourOf([], null, 1)]).toEqual(["new", "new", null]);
});

test("what is pinned stands above all, newest first, and the neighbours follow it", () => {
  const chats = [
    { id: "today", ...at(2026, 2, 15) },
    { id: "old pin", ...at(2020, 0, 1), pinned: true },
    { id: "new pin", ...at(2026, 2, 14), pinned: true },
  ];
  expect(
    groupSessions(chats, now).map(({ heading, sessions }) => [heading, sessions.map(({ id }) => id)]),
  ).toEqual([
    ["pinned", ["new pin", "old pin"]],
    ["today", ["today"]],
  ]);
  expect(neighbourOf(chats, "old pin", 1)?.id).toBe("today");
  expect(neighbourOf(chats, "today", -1)?.id).toBe("old pin");
});
