import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import en from "../../../i18n/en_US.json";
import { setLocale } from "../../../i18n/i18n.ts";
import { FragmentView } from "./fragment-view.tsx";

beforeAll(() => setLocale("en_US"));

function draw(fragment: Fragment, running = false, isLast = true): string {
  return renderToStaticMarkup(
    <FragmentView fragment={fragment} running={running} growing={running} isLast={isLast} />,
  );
}
const tip = (style: "INFO" | "WARNING", hide_on_wip: boolean): Fragment => ({
  id: 4,
  type: "TIP",
  style,
  content: "For reference only.",
  hide_on_wip,
  category: "GENERAL",
});
test("an answer is drawn as Markdown", () => {
  expect(draw({ id: 2, type: "RESPONSE", content: "so **bold**" })).toContain("<strong>bold</strong>");
});

test("a fixed text stands in the answer's place [ENG-018]", () => {
  const drawn = draw({ id: 2, type: "TEMPLATE_RESPONSE", content: "I can't talk about that." });
  expect(drawn).toContain("I can&#x27;t talk about that.");
});

test("a tip shows its words, and while the reply runs only where it may [ENG-019]", () => {
  expect(draw(tip("INFO", true))).toContain("For reference only.");
  expect(draw(tip("INFO", false), true)).toContain("For reference only.");
  expect(draw(tip("INFO", true), true)).toBe("");
});

test("tips of both levels look different [ENG-021]", () => {
  expect(draw(tip("WARNING", false))).not.toBe(draw(tip("INFO", false)));
});

test("a fragment of a type we don't know says so, and nothing of it leaks [ENG-020]", () => {
  const drawn = draw({ id: 2, type: "HOLOGRAM", content: "<b>secret</b>" });
  expect(drawn).toContain(en["fragment.unsupported"].replace("'", "&#x27;"));
  expect(drawn).not.toContain("secret");
});

test("a thought is open while its reply runs, also behind the answer, and closed, with nothing of it drawn, where the reply is over", () => {
  const thought: Fragment = { id: 2, type: "THINK", content: "Let me see", elapsed_secs: 3 };
  const open = (running: boolean) =>
    renderToStaticMarkup(<FragmentView fragment={thought} running={running} growing={false} isLast />);
  expect(open(true)).toContain('aria-expanded="true"');
  expect(open(true)).toContain("Let me see");
  expect(open(false)).toContain('aria-expanded="false"');
  expect(open(false)).not.toContain("Let me see");
});

test("a thought says whether it grows, ended or was cut short [ENG-075]", () => {
  const thought: Fragment = { id: 2, type: "THINK", content: "Hm", elapsed_secs: null };
  expect(draw(thought, true)).toContain(en["think.running"]);
  expect(draw(thought)).toContain(en["think.stopped"]);
  // One of elsewhere, of which nobody knows how long it took.
  expect(draw(thought, false, false)).toContain(en["think.over"]);
  expect(draw({ ...thought, elapsed_secs: 12.3 })).toContain("Thought for 12 seconds");
});
