import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("an answer that comes in lumps is written evenly, and at once for who wishes less motion or does not look [REND-016]", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  const chunks = 12;
  const script = { answer: "abcde fghi ".repeat(4).repeat(chunks), chunkChars: 44, paceMs: 120 };
  upstream.script({ match: { user: question, kind: "answer" }, ...script });
  const chat = new ChatPage(await openAs(account));
  const { page } = chat;
  /** How many different lengths of the last reply are painted while it is written. */
  const lengthsShown = async (): Promise<number> => {
    await page.evaluate(() => {
      const seen = new Set<number>();
      Reflect.set(window, "seenLengths", seen);
      const look = () => {
        const reply = [...document.querySelectorAll("article[aria-busy]")].at(-1);
        if (reply !== undefined) seen.add(reply.querySelector("p")?.textContent.length ?? 0);
        requestAnimationFrame(look);
      };
      look();
    });
    await chat.send(question);
    await chat.finished();
    expect(await chat.answer()).toBe(script.answer.trim());
    return page.evaluate(() => (Reflect.get(window, "seenLengths") as Set<number>).size);
  };
  // The context of journeys asks for less motion.
  expect(await lengthsShown()).toBeLessThanOrEqual(chunks + 3);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  expect(await lengthsShown()).toBeGreaterThan(chunks * 2);
  // Nor does a tab nobody sees fall behind.
  await page.goto("/");
  await page.evaluate(() => Object.defineProperty(document, "visibilityState", { get: () => "hidden" }));
  expect(await lengthsShown()).toBeLessThanOrEqual(chunks + 3);
});
