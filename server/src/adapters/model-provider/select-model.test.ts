import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Script } from "../../../../e2e/support/scripted-script.ts";
import { startScriptedUpstream, type ScriptedUpstream } from "../../../../e2e/support/scripted-upstream.ts";
import type { Config } from "../../config.ts";
import { createLogger } from "../../platform/logger.ts";
import type { ModelProvider, ModelRequest } from "../../ports/model-provider.ts";
import { DemoModel } from "./demo-model.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { collect, joined } from "./model-provider-contract.ts";
import { OpenAiCompatibleModel } from "./openai-compatible-model.ts";
import { refusesConnections } from "./refuses-connections.ts";
import { SelectedModel } from "./select-model.ts";

const log = createLogger("silent");
/** For what answers: a slow machine may take longer than a start may wait. */
const patient = 10_000;

test("finds the first address that lists a model that writes text", async () => {
  const page = createServer((_, response) => response.end("<h1>another program</h1>"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  const foreign = `http://127.0.0.1:${(page.address() as AddressInfo).port}/v1`;
  const embeddings = await startScriptedUpstream({ models: [{ id: "nomic-embed-text" }] });
  const first = await startScriptedUpstream();
  const second = await startScriptedUpstream();
  const nothing = "http://127.0.0.1:1/v1";
  expect(await findEndpoint([nothing, foreign, embeddings.url, first.url, second.url], patient)).toBe(
    first.url,
  );
  expect(await findEndpoint([nothing, foreign], patient)).toBeUndefined();
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

test("an address is gone when it refuses, not when it is slow", async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`;
  expect(await refusesConnections(baseUrl)).toBe(false);
  mute.closeAllConnections();
  await new Promise((resolve) => mute.close(resolve));
  expect(await refusesConnections(baseUrl, patient)).toBe(true);
});

test("the demo answers until an endpoint is found, then that endpoint", async () => {
  const machine: { endpoint?: string } = {};
  let looks = 0;
  let asked = 0;
  const connected: string[] = [];
  const model = new SelectedModel({
    fallback: new DemoModel({ contextTokens: 1000, paceMs: 0 }),
    find: async () => {
      looks += 1;
      return machine.endpoint;
    },
    isGone: async () => {
      asked += 1;
      return false;
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
  await expect.poll(() => asked).toBeGreaterThan(1);
  expect([looks, connected]).toEqual([after, [machine.endpoint]]);
  await model.close();
});

describe("an endpoint that was found and dies", () => {
  const tidy: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const one of tidy.splice(0).reverse()) await one();
  });

  const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
    messages: [{ role: "user", content: "tell me" }],
    purpose: "chat",
    thinking: false,
    ...more,
  });

  async function upstream(
    name: string,
    port = 0,
    script: Script = { tokens: 30 },
  ): Promise<ScriptedUpstream> {
    const started = await startScriptedUpstream({ port, models: [{ id: name }], scripts: [script] });
    tidy.push(() => started.close());
    return started;
  }

  /** Everything real but the addresses that are looked at. It looks again by the clock only when told to. */
  function select(addresses: string[], lookAgainMs = 3_600_000): SelectedModel {
    const model = new SelectedModel({
      fallback: new DemoModel({ contextTokens: 1000, paceMs: 0 }),
      find: () => findEndpoint(addresses, patient),
      isGone: (baseUrl) => refusesConnections(baseUrl, patient),
      connect: (baseUrl) => new OpenAiCompatibleModel({ baseUrl, model: endpointSettings, log }),
      log,
      lookAgainMs,
    });
    tidy.push(() => model.close());
    return model;
  }

  const answer = async (model: ModelProvider): Promise<string> => joined(await collect(model, ask()), "text");

  test("gives way to another in the same question", async () => {
    const [first, second] = [await upstream("first"), await upstream("second")];
    const model = select([first.url, second.url]);
    expect(await answer(model)).toBe(first.expected("tell me").answer);
    await first.close();
    expect(await answer(model)).toBe(second.expected("tell me").answer);
    expect(model.info().name).toBe("second");
  });

  test("gives way to the demo's plain words, and has its place again when it is back", async () => {
    const first = await upstream("first");
    const port = Number(new URL(first.url).port);
    const model = select([first.url], 50);
    expect(await answer(model)).toBe(first.expected("tell me").answer);
    await first.close();
    expect(await answer(model)).toContain("I am not an AI");
    expect(model.info().kind).toBe("demo");
    await upstream("back", port);
    await expect.poll(() => model.info().name).toBe("back");
    expect(await answer(model)).toBe(first.expected("tell me").answer);
  });

  test("is noticed without a question", async () => {
    const first = await upstream("first");
    const model = select([first.url], 50);
    await answer(model);
    await first.close();
    await expect.poll(() => model.info().kind).toBe("demo");
  });

  test("leaves a reply that has begun, and one that goes on from a prefix, to fail as what they are", async () => {
    const first = await upstream("first", 0, { tokens: 200, fault: { kind: "stall", at: 100 } });
    const model = select([first.url]);
    const generation = model.generate(ask(), new AbortController().signal)[Symbol.asyncIterator]();
    expect((await generation.next()).done).toBe(false);
    await first.close();
    const rest = async (): Promise<void> => {
      while ((await generation.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ failure: "unavailable" });
    await expect.poll(() => model.info().kind).toBe("demo");

    const second = await upstream("second");
    const other = select([second.url]);
    await answer(other);
    await second.close();
    const continued = collect(other, ask({ prefix: { reasoning: "", answer: "Once upon" } }));
    await expect(continued).rejects.toMatchObject({ failure: "unavailable" });
    await expect.poll(() => other.info().kind).toBe("demo");
  });

  test("takes no reply with it that still runs when another took its place", async () => {
    const machine: { endpoint: string | undefined; gone: boolean } = {
      endpoint: "http://127.0.0.1:2/v1",
      gone: false,
    };
    const closed: string[] = [];
    const model = new SelectedModel({
      fallback: new DemoModel({ contextTokens: 1000, paceMs: 0 }),
      find: async () => machine.endpoint,
      isGone: async () => machine.gone,
      connect: (baseUrl) => {
        const demo = new DemoModel({ contextTokens: 2000, paceMs: 1 });
        demo.close = async () => void closed.push(baseUrl);
        return demo;
      },
      log,
      lookAgainMs: 5,
    });
    tidy.push(() => model.close());
    const generation = model.generate(ask(), new AbortController().signal)[Symbol.asyncIterator]();
    await generation.next();
    Object.assign(machine, { endpoint: undefined, gone: true });
    await expect.poll(() => model.info().contextTokens).toBe(1000);
    expect(closed).toEqual([]);
    let last: unknown;
    for (let step = await generation.next(); step.done !== true; step = await generation.next()) {
      last = step.value.at(-1);
    }
    expect(last).toEqual({ type: "end", reason: "stop" });
    expect(closed).toEqual(["http://127.0.0.1:2/v1"]);
  });
});

const endpointSettings: Config["model"] = {
  baseUrl: null,
  apiKey: null,
  name: null,
  thinkingName: null,
  coderName: null,
  titleName: null,
  thinkingStyle: "auto",
  contextTokens: 61440,
  stallMs: 60_000,
  continuation: "auto",
  path: null,
  autodetect: true,
  offered: [],
};
