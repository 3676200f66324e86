// The time a search adds to the provider's own: from the first event of a reply to the first piece of its answer, with a
// search of one query and without one, in turns, minus the provider's. The model answers the plan at once. No page is
// read: an address of a private network is refused without being asked. See README.md.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LoadClient } from "../e2e/support/load-client.ts";
import { startScriptedUpstream } from "../e2e/support/scripted-upstream.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 100);
const warmUp = 10;
/** Silence before each send, so that the commits of the round before are no part of it. */
const quietMs = 60;
/** What the provider takes. */
const providerMs = 30;

console.log(describeMachine());
const upstream = await startScriptedUpstream({
  scripts: [{ answer: "An answer.", paceMs: 0 }],
});
const provider = createServer((_request, response) => {
  const results = Array.from({ length: 8 }, (_, index) => ({
    url: `http://10.0.0.${index + 1}/`,
    title: `Page ${index}`,
    content: "What it says. ".repeat(10),
  }));
  setTimeout(() => response.end(JSON.stringify({ results, unresponsive_engines: [] })), providerMs);
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const product = await startProductServer({
  MODEL_BASE_URL: upstream.url,
  MODEL_NAME: "scripted-model",
  SEARCH_PROVIDER: "searxng",
  SEARCH_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
});
const person = await LoadClient.signUp(() => product.origin, product.codeFor);
try {
  /** From the first event of the reply to the first piece of its answer, ms. */
  async function untilAnswer(search: boolean): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    let began = 0;
    let answered = 0;
    const sessionId = await person.createSession();
    const reader = person.send({
      sessionId,
      prompt: "What is new?",
      search,
      onEvent(event) {
        if (event.type === "ready") began = performance.now();
        if (answered === 0 && JSON.stringify(event).includes("An answer")) answered = performance.now();
      },
    });
    await reader.done;
    if (reader.end !== "closed" || answered === 0) throw new Error(`a reply ended as ${reader.end}`);
    return answered - began;
  }
  const added: number[] = [];
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const without = await untilAnswer(false);
    const searched = await untilAnswer(true);
    if (round >= warmUp) added.push(searched - without - providerMs);
  }
  added.sort((one, other) => one - other);
  const ms = (part: number) => `${percentile(added, part).toFixed(1)} ms`;
  console.log(
    `search-step: added to the provider's ${providerMs} ms, a plan's call of the model included: p50 ${ms(0.5)}, p95 ${ms(0.95)} (${rounds} rounds; goal p50 ≤ 30 ms)`,
  );
} finally {
  person.close();
  await product.close();
  await upstream.close();
  provider.closeAllConnections();
  provider.close();
}
