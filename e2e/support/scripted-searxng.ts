// A search provider as SearXNG is one, whose answers a test writes: `SEARCH_PROVIDER=searxng`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Settings } from "./server-process.ts";

export interface ScriptedPage {
  url: string;
  title: string;
  content?: string;
  /** ISO 8601. */
  publishedDate?: string;
}

export interface ScriptedSearxng {
  /** Of a server that asks here. */
  readonly settings: Settings;
  /** Every query so far; `answered` once its answer was written whole. */
  readonly asked: { query: string; answered: boolean }[];
  /** What a query finds; null = the provider fails. */
  answer: (query: string) => readonly ScriptedPage[] | null;
  /** What comes before a query is answered: so many milliseconds, or whatever is waited for. */
  delay: (query: string) => number | Promise<unknown>;
  close(): Promise<void>;
}

/** Without a script, each query finds one page. No name here exists: the server reads no page. */
export async function startScriptedSearxng(): Promise<ScriptedSearxng> {
  const asked: { query: string; answered: boolean }[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "", "http://search").searchParams.get("q") ?? "";
    const entry = { query, answered: false };
    asked.push(entry);
    const delay = search.delay(query);
    void (typeof delay === "number" ? setTimeout(delay) : delay).then(() => {
      const results = search.answer(query);
      if (results === null) response.writeHead(500).end();
      else {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ query, results, unresponsive_engines: [] }));
      }
      entry.answered = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const search: ScriptedSearxng = {
    settings: { SEARCH_PROVIDER: "searxng", SEARCH_URL: url },
    asked,
    answer: (query) => [
      { url: `https://pages.example/${encodeURIComponent(query)}`, title: `About ${query}` },
    ],
    delay: () => 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return search;
}
