// The server that the engine's tests talk to answers as the real one does.
import { expect, test } from "vitest";
import { observe } from "./observe.ts";
import { fakePlayer, type Player, realPlayer } from "./players.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

async function seenBy(player: Player, scenario: Scenario): Promise<unknown[]> {
  try {
    return await observe(player, scenario);
  } finally {
    await player.close();
  }
}

test.each(scenarios)("$name: the fake and the real server answer the same", async (scenario) => {
  const real = await seenBy(await realPlayer(), scenario);
  expect(await seenBy(fakePlayer(), scenario)).toEqual(real);
});
