// Answers whose lists, quotations and notes are so long that they are drawn in parts: nothing shows where one ends.
import { expect, test } from "../support/journey.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

/** Pixels between one line and the next. */
const gapBetween: Record<string, number> = { list: 4, numbers: 8, quotation: 12, warning: 8 };

/** Characters; a part has a third of it at most. */
const answerLength = 24_000;

everyLook((look) => {
  const { content } = look;
  const sentences = [content.answer.split("\n")[0], content.personaAnswer, content.shortAnswer];
  const lines = Array.from(
    { length: (sentences.length * answerLength) / sentences.join("").length },
    (_, at) => `$O(k \\log n)$ ${sentences[at % sentences.length]}`,
  );
  const answers = {
    list: lines.map((line) => `- ${line}`).join("\n"),
    numbers: lines.map((line, at) => `${at + 960}. ${line}`).join("\n\n"),
    quotation: lines.map((line) => `> ${line}`).join("\n>\n"),
    warning: ["> [!WARNING]", ...lines.map((line) => `> ${line}\n>`)].join("\n"),
  };

  test("long answers", async ({ openAs, account, upstream, calls }) => {
    calls.expect({ answer: Object.keys(answers).length });
    const album = new Album(look, "long");
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    for (const [name, answer] of Object.entries(answers)) {
      upstream.script({ match: { user: name, kind: "answer" }, answer });
      await chat.startAnew();
      await chat.send(name);
      await chat.finished();
      await page.reload();
      const seam = chat.lastReply.locator("[class*=goesOn]").last();
      await seam.evaluate((part) => part.scrollIntoView({ block: "center", behavior: "instant" }));
      await expect(seam.locator(".katex").first()).toBeVisible();
      const gap = gapBetween[name];
      await expect.poll(() => seam.evaluate(gapsAt)).toEqual([gap, gap]);
      await album.shoot(page, name);
    }
    await page.close();
  });
});

/** Pixels between the line above a part and the part's first one, and between that one and the next. */
function gapsAt(part: Element): number[] {
  const lines = "li, blockquote > p, [role=note] > p";
  const boxes = [...(part.closest("article")?.querySelectorAll(lines) ?? [])];
  const first = boxes.findIndex((line) => part.contains(line));
  const [above, begin, next] = boxes.slice(first - 1).map((line) => line.getBoundingClientRect());
  if (above === undefined || begin === undefined || next === undefined) return [];
  return [begin.top - above.bottom, next.top - begin.bottom].map((gap) => Math.round(gap));
}
