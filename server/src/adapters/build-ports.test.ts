import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { readConfig } from "../config.ts";
import { createLogger } from "../platform/logger.ts";
import type { Ports } from "../ports/ports.ts";
import { buildPorts } from "./build-ports.ts";

const ports = (settings: Record<string, string>): Promise<Ports> =>
  buildPorts(readConfig({ MODEL_AUTODETECT: "off", ...settings }), createLogger("silent"));

async function verdict({ contentFilter }: Ports, text: string): Promise<string | undefined> {
  const screening = contentFilter?.open(() => {});
  screening?.push(text);
  const told = await screening?.end();
  await contentFilter?.close();
  return told;
}

test("the endpoint comes before the file, the file before the demo", async () => {
  const file = { MODEL_PATH: "/no/such.gguf" };
  const endpoint = await ports({ ...file, MODEL_BASE_URL: "http://127.0.0.1:1/v1", MODEL_NAME: "m" });
  expect(endpoint.model.info()).toMatchObject({ kind: "endpoint", name: "m" });
  await endpoint.model.close();
  await expect(ports(file)).rejects.toMatchObject({ name: "StartError" });
  const demo = await ports({});
  expect(demo.model.info().kind).toBe("demo");
  expect(demo.mailer.kind).toBe("outbox");
  await demo.model.close();
});

test("without settings anything may be said, and no tip is given", async () => {
  expect(await ports({})).toMatchObject({ contentFilter: null, riskClassifier: null });
});

test("who looks things up in the web, and nobody where none is set", async () => {
  expect((await ports({})).search).toBeNull();
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url?.split("?")[0]);
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const SEARCH_PROVIDER of ["searxng", "brave", "tavily", "wikipedia"]) {
    const { search } = await ports({ SEARCH_PROVIDER, SEARCH_URL: `${url}/there`, SEARCH_API_KEY: "k" });
    await expect(search?.search("rain", 3, new AbortController().signal)).rejects.toMatchObject({
      failure: "unavailable",
    });
    await search?.close();
  }
  expect(heard).toEqual(["/there/search", "/there", "/there", "/w/api.php"]);
  server.close();
});

test("a list of words and the classifier of risks", async () => {
  const file = join(temporaryFolder("words"), "words.txt");
  writeFileSync(file, "forbidden\n");
  const settings = { CONTENT_FILTER: "words", CONTENT_FILTER_WORDS: file, RISK_CLASSIFIER: "words" };
  const built = await ports(settings);
  expect(await verdict(built, "It is Forbidden.")).toBe("refused");
  expect(await built.riskClassifier?.classify("股票、基金、债券")).toBe("FINANCE");
  await expect(ports({ ...settings, CONTENT_FILTER_WORDS: "/nowhere" })).rejects.toThrow(
    "CONTENT_FILTER_WORDS",
  );
});

test("a moderation endpoint, with its key, its model and its time", async () => {
  const heard: unknown[] = [];
  let answers = true;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const part of request) body += String(part);
    heard.push([request.url, request.headers.authorization, JSON.parse(body)]);
    if (answers) response.end(JSON.stringify({ results: [{ flagged: true }] }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const settings = {
    CONTENT_FILTER: "moderation",
    MODERATION_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    MODERATION_API_KEY: "sk-1",
    MODERATION_MODEL: "omni",
    MODERATION_TIMEOUT_MS: "200",
  };
  expect(await verdict(await ports(settings), "Hm")).toBe("refused");
  expect(heard).toEqual([["/v1/moderations", "Bearer sk-1", { input: "Hm", model: "omni" }]]);
  answers = false;
  expect(await verdict(await ports(settings), "Hm")).toBe("unknown");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
