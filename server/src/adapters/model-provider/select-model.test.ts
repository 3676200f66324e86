import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startScriptedUpstream } from "../../../../e2e/support/scripted-upstream.ts";
import { createLogger } from "../../platform/logger.ts";
import { DemoModel } from "./demo-model.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { SelectedModel } from "./select-model.ts";

const log = createLogger("silent");

test("finds the first address that lists a model that writes text", async () => {
  const page = createServer((_, response) => response.end("<h1>another program</h1>"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  const foreign = `http://127.0.0.1:${(page.address() as AddressInfo).port}/v1`;
  const embeddings = await startScriptedUpstream({ models: [{ id: "nomic-embed-text" }] });
  const first = await startScriptedUpstream();
  const second = await startScriptedUpstream();
  const nothing = "http://127.0.0.1:1/v1";
  expect(await findEndpoint([nothing, foreign, embeddings.url, first.url, second.url])).toBe(first.url);
  expect(await findEndpoint([nothing, foreign])).toBeUndefined();
  await Promise.all([embeddings.close(), first.close(), second.close()]);
  await new Promise((resolve) => page.close(resolve));
});

test("does not wait for a server that accepts and says nothing", async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const { port } = mute.address() as AddressInfo;
  expect(await findEndpoint([`http://127.0.0.1:${port}/v1`])).toBeUndefined();
  mute.closeAllConnections();
  await new Promise((resolve) => mute.close(resolve));
});

test("the demo answers until an endpoint is found, then that endpoint", async () => {
  const machine: { endpoint?: string } = {};
  let looks = 0;
  const connected: string[] = [];
  const model = new SelectedModel({
    fallback: new DemoModel({ contextTokens: 1000, paceMs: 0 }),
    find: async () => {
      looks += 1;
      return machine.endpoint;
    },
    connect: (baseUrl) => {
      connected.push(baseUrl);
      return new DemoModel({ contextTokens: 2000, paceMs: 0 });
    },
    log,
    lookAgainMs: 5,
  });
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(model.info().contextTokens).toBe(1000);
  machine.endpoint = "http://127.0.0.1:2/v1";
  await expect.poll(() => model.info().contextTokens).toBe(2000);
  const after = looks;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([looks, connected]).toEqual([after, [machine.endpoint]]);
  await model.close();
});
