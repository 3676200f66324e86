import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { systemClock } from "../../ports/clock.ts";
import type { Verdict } from "../../ports/content-filter.ts";
import { contentFilterContract, screened } from "./content-filter-contract.ts";
import { ModerationEndpoint } from "./moderation-endpoint.ts";
import { createModerationFilter } from "./moderation-filter.ts";

const SECRET = "sk-very-secret-0123456789";
const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });

interface Asked {
  path: string | undefined;
  key: string | undefined;
  input: string;
  model?: string;
}
type Answer = (response: ServerResponse, input: string) => void;

const flag: Answer = (response, input) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ results: [{ flagged: input.includes("forbidden"), categories: {} }] }));
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  lines.length = 0;
});

async function endpoint(answers: Answer[] = [], more: object = {}, path = "/v1") {
  const asked: Asked[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const part of request) text += String(part);
    const body = JSON.parse(text) as Asked;
    asked.push({ ...body, path: request.url, key: request.headers.authorization });
    (answers.shift() ?? flag)(response, body.input);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const options = { apiKey: SECRET, model: null, timeoutMs: 2000, log, clock: systemClock, ...more };
  const url = `http://127.0.0.1:${port}${path}`;
  const filter = createModerationFilter(new ModerationEndpoint({ ...options, url }), options.clock);
  const close = async (): Promise<void> => {
    await filter.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  open.push(close);
  return { filter, asked };
}

contentFilterContract("a moderation endpoint", async () => ({
  ...(await endpoint()),
  refused: "something that is forbidden here",
  close: async () => {},
}));

test("asks as OpenAI does, with the key, and the model where one is set", async () => {
  const plain = await endpoint();
  await screened(plain.filter, ["Hello"]);
  expect(plain.asked).toEqual([{ path: "/v1/moderations", key: `Bearer ${SECRET}`, input: "Hello" }]);
  const named = await endpoint([], { apiKey: null, model: "omni" }, "/custom/moderations?v=1");
  await screened(named.filter, ["Hello"]);
  expect(named.asked).toEqual([
    { path: "/custom/moderations?v=1", key: undefined, input: "Hello", model: "omni" },
  ]);
});

test("a long text is sent once, in parts that overlap a little", async () => {
  const { filter, asked } = await endpoint();
  const text = Array.from({ length: 20_000 }, (_none, index) => `w${index} `).join("");
  const pieces = text.match(/.{1,40}/gsu) ?? [];
  expect(await screened(filter, pieces)).toEqual({ verdict: "allowed", heard: [] });
  const sent = asked.map(({ input }) => input);
  expect(sent.reduce((sum, input) => sum + input.length, 0)).toBeLessThan(text.length * 1.5);
  let joined = "";
  for (const input of sent) {
    const overlap = Math.min(200, joined.length);
    expect(input.slice(0, overlap)).toBe(joined.slice(-overlap));
    expect(input.length).toBeLessThanOrEqual(8200);
    joined += input.slice(overlap);
  }
  expect(joined).toBe(text);
});

test("little text is asked about after a second, before it ends", async () => {
  const clock = new TestClock();
  const { filter, asked } = await endpoint([], { clock });
  const heard: Verdict[] = [];
  const screening = filter.open((verdict) => heard.push(verdict));
  screening.push("that is forbidden");
  expect(asked).toEqual([]);
  clock.nowMs += 1000;
  await expect.poll(() => heard).toEqual(["refused"]);
  screening.abort();
});

test("a text that runs ahead of the endpoint is held up", async () => {
  let answer: (() => void) | undefined;
  const { filter } = await endpoint([
    (response, input) => {
      answer = () => flag(response, input);
    },
  ]);
  const screening = filter.open(() => {});
  screening.push("x".repeat(600));
  expect(screening.pace()).toBeNull();
  screening.push("x".repeat(100_000));
  const held = screening.pace();
  expect(held).not.toBeNull();
  await expect.poll(() => answer).toBeDefined();
  answer?.();
  await held;
  expect(await screening.end()).toBe("allowed");
});

const json =
  (body: string, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(body);
const failures: [string, Answer, RegExp][] = [
  ["answers 500", json(`{"error":"${SECRET}"}`, 500), /it answered 500/u],
  ["refuses the key", json("{}", 401), /it answered 401/u],
  ["sends no JSON", json("<html>"), /no JSON/u],
  ["sends null", json("null"), /no results/u],
  ["sends no results", json('{"results":[]}'), /no results/u],
  ["does not flag", json('{"results":[{"ok":true},null]}'), /flags nothing/u],
  ["has no end", json('{"results":"' + "x".repeat(300_000)), /no end/u],
  ["redirects", (response) => void response.writeHead(302, { location: "/v1/other" }).end(), /answered 302/u],
  ["cuts the connection", (response) => response.socket?.resetAndDestroy(), /ECONNRESET|UND_ERR_SOCKET/u],
  ["hangs", () => {}, /TimeoutError/u],
  ["hangs after its head", (response) => response.writeHead(200).flushHeaders(), /TimeoutError/u],
];
test.each(failures)(
  "an endpoint that %s gives no verdict, and says why without text or key",
  async (_what, answer, why) => {
    const { filter } = await endpoint([answer, answer], { timeoutMs: 300 });
    expect(await screened(filter, ["my private words"])).toEqual({ verdict: "unknown", heard: ["unknown"] });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(why);
    expect(lines[0]).not.toMatch(/very-secret|private/u);
  },
);

test("one failure is asked again at once; a later part that is refused counts", async () => {
  const fail = json("{}", 503);
  const once = await endpoint([fail]);
  expect((await screened(once.filter, ["fine"])).verdict).toBe("allowed");
  const twice = await endpoint([fail, fail]);
  const heard: Verdict[] = [];
  const screening = twice.filter.open((verdict) => heard.push(verdict));
  screening.push("x".repeat(600));
  await expect.poll(() => heard).toEqual(["unknown"]);
  screening.push("forbidden");
  expect(await screening.end()).toBe("refused");
  expect(heard).toEqual(["unknown", "refused"]);
  expect(lines.some((line) => line.includes("answers again"))).toBe(true);
});

test("an endpoint that is away is not waited for with every message, and asked again after ten seconds", async () => {
  const clock = new TestClock();
  const hang: Answer = (response) => response.socket?.destroy();
  const { filter, asked } = await endpoint(
    Array.from({ length: 6 }, () => hang),
    { clock },
  );
  for (let message = 0; message < 5; message += 1)
    expect((await screened(filter, ["Hello"])).verdict).toBe("unknown");
  expect(asked).toHaveLength(6);
  clock.nowMs += 10_000;
  expect((await screened(filter, ["Hello"])).verdict).toBe("allowed");
});

test("an abort ends the call under way", async () => {
  let closed = false;
  const { filter, asked } = await endpoint([
    (response) => {
      response.on("close", () => {
        closed = true;
      });
    },
  ]);
  const screening = filter.open(() => {});
  screening.push("x".repeat(600));
  await expect.poll(() => asked.length).toBe(1);
  screening.abort();
  await expect.poll(() => closed).toBe(true);
  expect(lines).toEqual([]);
});
