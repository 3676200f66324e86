import type { SearchHit } from "@plumb/protocol/wire/history";
import type { Session } from "@plumb/protocol/wire/sessions";
import { expect, test } from "vitest";
import type { HistorySearchState } from "../../engine/history-search/create-history-search.ts";
import { activeChoice, choiceAfterKey } from "./active-choice.ts";
import { choiceGroups } from "./choices.ts";
import type { Command } from "./commands.ts";
import { whenText } from "./when-text.ts";

const session = (id: string): Session => ({ id, title: id, updated_at: 1 }) as Session;
const hit = (id: string, messageId: number | null): SearchHit =>
  ({ chat_session: session(id), message_id: messageId, ranges: [], snippet: id }) as unknown as SearchHit;
const command = (label: string): Command => ({ id: label, label, icon: "settings", run: () => {} });
const COMMANDS = [command("New chat"), command("Theme: Dark"), command("主题：深色")];

const state = (part: Partial<HistorySearchState>): HistorySearchState => ({
  typed: "",
  phase: "nothing",
  hits: [],
  firstPage: 0,
  hasMore: false,
  isLoadingMore: false,
  failure: null,
  ...part,
});
const shape = (groups: ReturnType<typeof choiceGroups>) =>
  groups.map(({ heading, choices }) => [heading, choices.map(({ id }) => id)]);

test("an empty field offers the newest chats and every command", () => {
  const recent = Array.from({ length: 20 }, (_, index) => session(`s${index}`));
  const groups = choiceGroups(state({}), recent, COMMANDS);
  expect(groups.map(({ heading, choices }) => [heading, choices.length])).toEqual([
    ["find.recent", 8],
    ["find.commands", 3],
  ]);
});

test("hits stand by kind, those of later pages below in their order", () => {
  const hits = [hit("a", 2), hit("b", null), hit("c", 4), hit("d", null), hit("e", 6)];
  const groups = choiceGroups(state({ typed: "zz", phase: "found", hits, firstPage: 3 }), [], COMMANDS);
  expect(shape(groups)).toEqual([
    ["find.chats", ["b-title"]],
    ["find.messages", ["a-2", "c-4"]],
    ["find.earlier", ["d-title", "e-6"]],
  ]);
});

test.each([
  ["dar", ["Theme: Dark"]],
  ["dark theme", ["Theme: Dark"]],
  ["深", ["主题：深色"]],
  ["ark", []],
  ["chat", ["New chat"]],
])("%o is the command %o", (typed, labels) => {
  const groups = choiceGroups(state({ typed, phase: "searching" }), [], COMMANDS);
  expect(groups.flatMap(({ choices }) => choices.map(({ id }) => id))).toEqual(labels);
});

const THREE = [{ id: "a" }, { id: "b" }, { id: "c" }];

test("the first harmless choice is active until another was gone to, and while that is there", () => {
  expect(activeChoice([{ id: "out", isGrave: true }, { id: "b" }], null)).toBe("b");
  expect(activeChoice([{ id: "out", isGrave: true }], null)).toBeNull();
  expect(activeChoice([{ id: "out", isGrave: true }, { id: "b" }], "out")).toBe("out");
  expect(activeChoice(THREE, "c")).toBe("c");
  expect(activeChoice(THREE, "gone")).toBe("a");
  expect(activeChoice([], "a")).toBeNull();
});

test.each([
  ["ArrowDown", "a", "b"],
  ["ArrowDown", "c", "a"],
  ["ArrowDown", null, "a"],
  ["ArrowUp", "a", "c"],
  ["ArrowUp", null, "c"],
  ["ArrowUp", "c", "b"],
  ["Home", "c", "a"],
  ["End", null, "c"],
  ["x", "a", null],
])("%s at %o leads to %o", (key, active, next) => {
  expect(choiceAfterKey(THREE, active, key)).toBe(next);
});

test.each([
  [new Date(2026, 10, 22, 9, 5), "9:05 AM", "09:05"],
  [new Date(2026, 1, 3, 9, 5), "Feb 3", "2月3日"],
  [new Date(2025, 10, 22, 9, 5), "2025/11/22", "2025/11/22"],
])("%o is written %o and %o", (time, english, chinese) => {
  const now = new Date(2026, 10, 22, 17).getTime();
  expect(whenText(time.getTime(), now, "en_US").replace("\u202f", " ")).toBe(english);
  expect(whenText(time.getTime(), now, "zh_CN")).toBe(chinese);
});
