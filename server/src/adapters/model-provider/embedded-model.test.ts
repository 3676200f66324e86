import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../platform/logger.ts";
import type { ModelRequest } from "../../ports/model-provider.ts";
import { TINY_TEXT, writeTinyGguf } from "./embedded-model-fixture.ts";
import { EmbeddedModel } from "./embedded-model.ts";
import { collect, joined, modelProviderContract } from "./model-provider-contract.ts";

const log = createLogger("silent");
let folder = "";
let path = "";

beforeAll(async () => {
  // Plain JavaScript that the scripts run before any package is there; it has no types.
  const url = new URL("../../../../scripts/install-extras.mjs", import.meta.url).href;
  const { installExtras } = (await import(/* @vite-ignore */ url)) as { installExtras(): Promise<void> };
  await installExtras();
  folder = await mkdtemp(join(tmpdir(), "plumb-gguf-"));
  path = join(folder, "tiny.gguf");
  await writeTinyGguf(path);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content: "say it" }],
  purpose: "chat",
  thinking: false,
  ...more,
});
const start = (): Promise<EmbeddedModel> =>
  EmbeddedModel.create({ path, contextTokens: 61440, stallMs: 10_000, log, temperature: 0 });

modelProviderContract("embedded", async () => {
  const model = await start();
  return { model, request: ask(), released: () => model.idle, close: () => model.close() };
});

test("says what the file holds and knows its own context", async () => {
  const model = await start();
  const chunks = await collect(model, ask());
  expect(joined(chunks, "text")).toBe(TINY_TEXT);
  expect(chunks.at(-1)).toEqual({ type: "end", reason: "stop" });
  expect(model.info()).toMatchObject({ name: "tiny", kind: "embedded", contextTokens: 2048 });
  const cut = await collect(model, ask({ maxTokens: 7 }));
  expect(cut.at(-1)).toEqual({ type: "end", reason: "length" });
  expect(TINY_TEXT.startsWith(joined(cut, "text"))).toBe(true);
  await model.close();
});

test("goes on from every character", async () => {
  const model = await start();
  const characters = Array.from(TINY_TEXT);
  for (let cut = 1; cut < characters.length; cut += 1) {
    const known = characters.slice(0, cut).join("");
    const chunks = await collect(model, ask({ prefix: { reasoning: "", answer: known } }));
    expect(known + joined(chunks, "text")).toBe(TINY_TEXT);
  }
  await model.close();
});

test("one at a time in order of arrival; who waits is told and may leave", async () => {
  const model = await start();
  const order: string[] = [];
  let told = 0;
  const leave = new AbortController();
  const run = async (name: string, signal?: AbortSignal): Promise<void> => {
    const waiting = (): void => void (told += 1);
    await collect(model, ask({ waiting }), signal).then(
      () => order.push(name),
      (error: unknown) => order.push(`${name}: ${error instanceof Error ? error.name : "?"}`),
    );
  };
  const runs = [run("first"), run("second"), run("leaving", leave.signal), run("third")];
  leave.abort();
  await Promise.all(runs);
  expect(order).toEqual(["leaving: AbortError", "first", "second", "third"]);
  expect(told).toBe(3);
  await model.close();
});

test("a missing or foreign file stops the start with a sentence", async () => {
  const create = (file: string): Promise<EmbeddedModel> =>
    EmbeddedModel.create({ path: file, contextTokens: 2048, stallMs: 1000, log });
  await expect(create(join(folder, "none.gguf"))).rejects.toThrow(/no such file/);
  await expect(create(folder)).rejects.toThrow(/folder/);
  const foreign = join(folder, "foreign.gguf");
  await writeFile(foreign, "hello");
  await expect(create(foreign)).rejects.toThrow(/no GGUF file/);
});

test("a broken file makes the model unavailable, not the process", async () => {
  const broken = join(folder, "broken.gguf");
  await writeFile(broken, Buffer.concat([Buffer.from("GGUF"), Buffer.alloc(200, 3)]));
  const model = await EmbeddedModel.create({ path: broken, contextTokens: 2048, stallMs: 1000, log });
  await expect(collect(model, ask())).rejects.toMatchObject({ name: "ModelError", failure: "unavailable" });
  expect(await model.health()).toBe("degraded");
  await model.close();
});

test("silence before the first token is a stall, and the place is free again", async () => {
  const model = await EmbeddedModel.create({
    path,
    contextTokens: 2048,
    stallMs: 1000,
    log,
    firstTokenMs: 1,
  });
  await expect(collect(model, ask())).rejects.toMatchObject({ failure: "stall" });
  expect(model.idle).toBe(true);
  await model.close();
});
