// Of the searches that a user asks for at once, the last two go on.
import { expect, test } from "vitest";
import { type RunningSearch, RunningSearches } from "./running-searches.ts";

function started(
  searches: RunningSearches,
  userId: string,
): { search: RunningSearch; end: () => Promise<void> } {
  let search: RunningSearch = { isOver: false };
  let end = () => {};
  const ended = searches.run(userId, async (running) => {
    search = running;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  return {
    search,
    async end() {
      end();
      await ended;
    },
  };
}

test("the oldest is over when a third one begins, and nobody else's", async () => {
  const searches = new RunningSearches();
  const other = started(searches, "other");
  const [one, two] = [started(searches, "user"), started(searches, "user")];
  expect([one.search.isOver, two.search.isOver]).toEqual([false, false]);
  const three = started(searches, "user");
  expect([one, two, three, other].map(({ search }) => search.isOver)).toEqual([true, false, false, false]);
  await one.end();
  await three.end();
  // One has ended: there is room.
  const four = started(searches, "user");
  expect([two.search.isOver, four.search.isOver]).toEqual([false, false]);
  for (const search of [two, four, other]) await search.end();
});

test("a search that fails counts no more", async () => {
  const searches = new RunningSearches();
  const one = started(searches, "user");
  for (let n = 0; n < 3; n += 1)
    await expect(searches.run("user", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const two = started(searches, "user");
  expect([one.search.isOver, two.search.isOver]).toEqual([false, false]);
  await one.end();
  await two.end();
});
