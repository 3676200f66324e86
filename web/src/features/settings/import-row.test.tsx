import type { ImportStatus } from "@plumb/protocol/wire/imports";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { OwnData } from "../../engine/exports/own-data.ts";
import type { ImportsState } from "../../engine/imports/create-imports.ts";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { ImportRow } from "./import-row.tsx";

beforeAll(async () => {
  await setLocale("en_US");
  await loadDialogTexts();
});

function draw(state: Partial<ImportsState>, status: Partial<ImportStatus> | null = null): string {
  const whole = {
    phase: "none",
    sending: null,
    refused: null,
    failed: false,
    ...state,
    status,
  } as ImportsState;
  const imports = { store: createStore<ImportsState>(() => whole) } as OwnData["imports"];
  return renderToStaticMarkup(<ImportRow imports={imports} retry={null} />).replaceAll(/<input[^>]*>/g, "");
}
const words = (markup: string) => markup.replaceAll(/<[^>]*>/g, "|").replaceAll(/\|+/g, "|");
const none = { file_name: "my.zip", error: null, skipped: [], sessions_skipped: 0 };

test("a file can be chosen where nothing goes on", () => {
  expect(words(draw({}))).toContain("|Import|");
  expect(draw({ phase: "unknown" })).toContain("aria-busy");
  expect(renderToStaticMarkup(<ImportRow imports={null} retry={null} />)).toContain("aria-busy");
  // What its code is about stands there without it.
  const missing = renderToStaticMarkup(<ImportRow imports={null} retry={() => {}} />);
  expect(words(missing)).toMatch(/^\|Import chats\|From a zip [^|]*\|Try again\|$/);
  expect(words(draw({ phase: "unknown", failed: true }))).toContain("|Try again|");
});

test("what goes on is told with its numbers, and can be cancelled", () => {
  const sending = draw({ phase: "sending", sending: { name: "my.zip", percent: 40 } });
  expect(words(sending)).toContain("|Sending my.zip: 40%|");
  expect(sending).toMatch(/<progress[^>]*value="40"/);
  expect(words(draw({ phase: "going" }, { ...none, status: "QUEUED" }))).toContain("about to begin");
  const reading = { ...none, status: "RUNNING", sessions_total: 0 } as const;
  expect(words(draw({ phase: "going" }, reading))).toContain("Reading my.zip…");
  const going = draw({ phase: "going" }, { ...reading, sessions_done: 3, sessions_total: 12 });
  expect(words(going)).toContain("|3 of 12 chats|");
  expect(going).toMatch(/<progress[^>]*max="12"/);
  expect(words(going)).toContain("|Cancel|");
});

test("what came of one is told: how many came, what was left out and why", () => {
  const ended = draw(
    { phase: "ended" },
    {
      ...none,
      status: "FINISHED",
      sessions_done: 12,
      sessions_skipped: 4,
      skipped: [
        { reason: "IMPORTED_BEFORE", count: 3, titles: ["One", "Two"] },
        { reason: "UNREADABLE", count: 1, titles: [] },
      ],
    },
  );
  expect(words(ended)).toContain(
    "|8 chats imported from my.zip.|4 chats were left out|3 are here already|One · Two …|1 could not be read|",
  );
  expect(words(draw({ phase: "ended" }, { ...none, status: "CANCELLED", sessions_done: 1 }))).toContain(
    "|Cancelled. 1 chat imported from my.zip.|",
  );
  const failed = { ...none, status: "FAILED", error: "LOCKED", sessions_done: 0 } as const;
  expect(words(draw({ phase: "ended" }, failed))).toContain("|my.zip: The zip is locked with a password.|");
});

test.each([
  ["UNREADABLE", 3, "3 chats imported from my.zip. Part of the file was damaged."],
  ["INTERRUPTED", 3, "3 chats imported from my.zip. The rest could not be imported. Please try again later."],
  ["TOO_LARGE", 3, "3 chats imported from my.zip. The file holds more than one import takes."],
  ["STORAGE_FULL", 3, "3 chats imported from my.zip. Your storage is full. Delete chats to make room."],
  ["UNREADABLE", 0, "my.zip: The file is damaged."],
] as const)("an import that ended with %s tells first what came: %d", (error, done, told) => {
  const failed = { ...none, status: "FAILED", error, sessions_done: done } as const;
  expect(words(draw({ phase: "ended" }, failed))).toContain(`|${told}|`);
});

test("why a file was not taken is an alert that names it, alone without what came of the file before", () => {
  const before = { ...none, status: "FINISHED", sessions_done: 12 } as const;
  const row = draw({ phase: "ended", refused: { name: "empty.zip", why: "too-often" } }, before);
  expect(row).toMatch(/role="alert"[^>]*>empty\.zip: You imported recently/);
  expect(row).not.toContain("my.zip");
  // What goes on meanwhile is no result.
  const going = draw(
    { phase: "going", refused: { name: "empty.zip", why: "running" } },
    { ...none, status: "RUNNING", sessions_total: 0 },
  );
  expect(words(going)).toContain("Reading my.zip…");
});
