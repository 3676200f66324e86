import { LIMITS } from "@plumb/protocol/limits";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import dialogsEn from "../../i18n/dialogs.en_US.json";
import en from "../../i18n/en_US.json";
import { setLocale } from "../../i18n/i18n.ts";
import { HtmlRun } from "./html-run.tsx";

beforeAll(async () => {
  await setLocale("en_US");
  await loadDialogTexts();
});

function draw(html: string, closing = false): string {
  const frame = { closing, modal: false, onClose: () => {} };
  return renderToStaticMarkup(<HtmlRun html={html} frame={frame} />);
}

test("the panel has a title and a close button, and fades while it closes [SHELL-055]", () => {
  const drawn = draw("<p>");
  expect(drawn).toContain(`>${dialogsEn["run.title"]}</h2>`);
  expect(drawn).toContain(`aria-label="${en["common.close"]}"`);
  expect(drawn).toMatch(/<section[^>]*data-closing="false"/);
  expect(draw("<p>", true)).toMatch(/<section[^>]*data-closing="true"/);
});

test("HTML runs in a sandbox that lends it nothing but scripts, and never stands in our own document", () => {
  const drawn = draw("<b>hostile</b>");
  expect(drawn).toMatch(/<iframe[^>]*src="\/static\/run\.html"[^>]*sandbox="allow-scripts"/);
  expect(drawn).not.toContain("hostile");
});

test("HTML that is too long is not run, and says so", () => {
  expect(draw("x".repeat(LIMITS.runHtmlChars))).toContain("<iframe");
  const drawn = draw("x".repeat(LIMITS.runHtmlChars + 1));
  expect(drawn).not.toContain("<iframe");
  expect(drawn).toContain(dialogsEn["run.tooLong"]);
});
