import type { ExportStatus } from "@plumb/protocol/wire/exports";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { ExportsState } from "../../engine/exports/create-exports.ts";
import type { OwnData } from "../../engine/exports/own-data.ts";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { minuteText } from "../../i18n/minute-text.ts";
import { ExportRow } from "./export-row.tsx";

beforeAll(async () => {
  await setLocale("en_US");
  await loadDialogTexts();
});

const SECS = 1_790_000_000;

function draw(
  phase: ExportsState["phase"],
  status: Partial<ExportStatus> = {},
  { beginning = false, failed = false } = {},
): string {
  const state = { phase, status: status as ExportStatus, beginning, failed };
  const exports = { store: createStore<ExportsState>(() => state) } as OwnData["exports"];
  return renderToStaticMarkup(<ExportRow exports={exports} retry={null} />);
}
/** The words of its buttons; those that load are marked. */
const buttons = (markup: string): string[] =>
  [...markup.matchAll(/<button([^>]*)>(?:<span[^>]*>)?([^<]*)/g)].map(
    ([, attributes = "", words = ""]) => `${words}${attributes.includes("aria-busy") ? "…" : ""}`,
  );

test("where there is none, one can be begun [EXP-007]", () => {
  expect(buttons(draw("none"))).toEqual(["Export"]);
  expect(buttons(draw("none", {}, { beginning: true }))).toEqual(["Export…"]);
});

test("the button loads until it is known what there is", () => {
  expect(buttons(draw("unknown"))).toEqual(["Export…"]);
  expect(buttons(renderToStaticMarkup(<ExportRow exports={null} retry={null} />))).toEqual(["Export…"]);
  const missing = renderToStaticMarkup(<ExportRow exports={null} retry={() => {}} />);
  expect(buttons(missing)).toEqual(["Try again"]);
  expect(missing).toContain("as one zip file");
  // None that replaces one that may be there.
  expect(buttons(draw("unknown", {}, { failed: true }))).toEqual(["Try again"]);
});

test("one that is made says how far it is, in numbers, and its button loads [EXP-005]", () => {
  const waiting = draw("pending", { sessions_done: 0, sessions_total: 0 });
  expect(waiting).toContain("about to begin");
  expect(waiting).not.toContain("<progress");
  const making = draw("pending", { sessions_done: 412, sessions_total: 10_000 });
  expect(making).toContain("412 of 10,000 chats written");
  expect(making).toMatch(
    /<progress[^>]*value="412"[^>]*max="10000"|<progress[^>]*max="10000"[^>]*value="412"/,
  );
  expect(buttons(making)).toEqual(["Export…"]);
});

test("one that is there can be downloaded, says until when, and can be made again [EXP-006] [EXP-011]", () => {
  const markup = draw("finished", { export_at: SECS, expire_at: SECS + 604_800, bytes: 3_400_000 });
  expect(buttons(markup)).toEqual(["Export again", "Download"]);
  expect(markup.replace(/<[^>]*>/g, "")).toContain(
    `Made ${minuteText(SECS)}, 3.2 MB. The link is good until ${minuteText(SECS + 604_800)}. Export again`,
  );
});
