// The promises of the port, proven for each adapter by the same suite.
import { expect, test } from "vitest";
import {
  ModelError,
  type ModelChunk,
  type ModelProvider,
  type ModelRequest,
} from "../../ports/model-provider.ts";

export interface ContractSubject {
  model: ModelProvider;
  /** A request that gives at least 20 chunks, the same each time. */
  request: ModelRequest;
  /** Makes the model fall silent after some text; left out where it cannot. */
  stallingRequest?: ModelRequest;
  /** The same model with a stall limit that a slow machine may reach; asked only what stalls anyway. */
  impatient?: ModelProvider;
  /** Whether the model has let go of its last generation (its socket is closed, its place free). */
  released: () => boolean | Promise<boolean>;
  close: () => Promise<void>;
}

/** All chunks of one generation. */
export async function collect(
  model: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const batch of model.generate(request, signal)) chunks.push(...batch);
  return chunks;
}

/** The text of one kind, joined. */
export function joined(chunks: readonly ModelChunk[], type: "reasoning" | "text"): string {
  return chunks.map((chunk) => (chunk.type === type ? chunk.text : "")).join("");
}

async function outcome(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "finished",
    (error: unknown) => error,
  );
}

/** Calls `start` for each test. */
export function modelProviderContract(name: string, start: () => Promise<ContractSubject>): void {
  async function using(run: (subject: ContractSubject) => Promise<void>): Promise<void> {
    const subject = await start();
    try {
      await run(subject);
    } finally {
      await subject.close();
    }
  }

  test(`${name}: thought before text, usage before one end, and nothing after it`, () =>
    using(async ({ model, request }) => {
      const types = (await collect(model, request)).map((chunk) => chunk.type);
      expect(types.filter((type) => type === "end")).toHaveLength(1);
      expect(types.at(-1)).toBe("end");
      expect(types.filter((type) => type === "text").length).toBeGreaterThan(0);
      expect(types.lastIndexOf("reasoning")).toBeLessThan(types.indexOf("text"));
    }));

  test(`${name}: no chunk is empty or holds half of a surrogate pair`, () =>
    using(async ({ model, request }) => {
      for (const chunk of await collect(model, request)) {
        if (chunk.type !== "reasoning" && chunk.type !== "text") continue;
        expect(chunk.text).not.toBe("");
        expect(encodeURIComponent(chunk.text)).toBeTruthy();
      }
    }));

  test(`${name}: goes on from a prefix to the same whole`, () =>
    using(async ({ model, request }) => {
      const whole = await collect(model, request);
      const [reasoning, answer] = [joined(whole, "reasoning"), joined(whole, "text")];
      const characters = Array.from(answer);
      for (const share of [0.1, 0.5, 0.9]) {
        const known = characters.slice(0, Math.ceil(characters.length * share)).join("");
        const chunks = await collect(model, { ...request, prefix: { reasoning, answer: known } });
        expect(known + joined(chunks, "text")).toBe(answer);
        expect(joined(chunks, "reasoning")).toBe("");
        expect(chunks.at(-1)?.type).toBe("end");
      }
    }));

  test(`${name}: goes on in a thought`, () =>
    using(async ({ model, request }) => {
      const whole = await collect(model, request);
      const [reasoning, answer] = [joined(whole, "reasoning"), joined(whole, "text")];
      if (reasoning === "") return;
      const known = Array.from(reasoning).slice(0, 12).join("");
      const chunks = await collect(model, { ...request, prefix: { reasoning: known, answer: "" } });
      expect(known + joined(chunks, "reasoning")).toBe(reasoning);
      expect(joined(chunks, "text")).toBe(answer);
    }));

  test(`${name}: an abort in mid-reply ends it with an AbortError and lets the model go`, () =>
    using(async ({ model, request, released }) => {
      const abort = new AbortController();
      let seen = 0;
      const run = (async (): Promise<void> => {
        for await (const batch of model.generate(request, abort.signal)) {
          seen += batch.length;
          abort.abort("stopped");
        }
      })();
      expect(await outcome(run)).toMatchObject({ name: "AbortError" });
      expect(seen).toBeGreaterThan(0);
      await expect.poll(released).toBe(true);
    }));

  test(`${name}: an abort before the start asks nothing`, () =>
    using(async ({ model, request }) => {
      expect(await outcome(collect(model, request, AbortSignal.abort()))).toMatchObject({
        name: "AbortError",
      });
    }));

  test(`${name}: a consumer that stops reading lets the model go`, () =>
    using(async ({ model, request, released }) => {
      for await (const batch of model.generate(request, new AbortController().signal)) {
        expect(batch.length).toBeGreaterThan(0);
        break;
      }
      await expect.poll(released).toBe(true);
    }));

  test(`${name}: silence is a stall`, () =>
    using(async ({ model, impatient = model, stallingRequest, released }) => {
      if (!stallingRequest) return;
      const failure = await outcome(collect(impatient, stallingRequest));
      expect(failure).toBeInstanceOf(ModelError);
      expect(failure).toMatchObject({ failure: "stall" });
      await expect.poll(released).toBe(true);
    }));

  test(`${name}: says what it is`, () =>
    using(async ({ model }) => {
      const info = model.info();
      expect(info.name).not.toBe("");
      expect(info.contextTokens).toBeGreaterThan(0);
      expect(await model.health()).toBe("ok");
    }));
}
