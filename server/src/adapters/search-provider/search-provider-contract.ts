// What every search provider promises, as tests against a stand-in that answers as the real one does.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SearchError, SearchProvider } from "../../ports/search-provider.ts";
import { ProviderClient } from "./provider-call.ts";

/** A page as the stand-in knows it. */
export interface KnownPage {
  url: string;
  title: string;
  snippet: string;
  /** ISO 8601. */
  published: string | null;
}

export interface ProviderUnderTest {
  create(baseUrl: string, client: ProviderClient): SearchProvider;
  /** The body with which the real one tells these results. */
  answer(query: string, pages: readonly KnownPage[]): unknown;
  /** The query of a call, with what else must be in it; throws where something is missing. */
  readQuery(request: IncomingMessage, body: string): string;
  /** A page as it can be found there: not every provider tells every field. */
  found(page: KnownPage): object;
  /** Statuses with which it refuses, and what they mean. */
  refusals: Readonly<Record<number, string>>;
}

const pages: readonly KnownPage[] = [1, 2, 3, 4, 5].map((number) => ({
  url: `https://en.wikipedia.org/wiki/Page_${number}`,
  title: `Page ${number}`,
  snippet: `What page ${number} says about “rain & shine”.`,
  published: number === 2 ? null : `2026-0${number}-03T04:05:06Z`,
}));
const never = new AbortController().signal;
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "found",
    (error: SearchError) => error.failure ?? error.name,
  );

export function searchProviderContract(name: string, provider: ProviderUnderTest): void {
  describe(`the promises of a search provider: ${name}`, () => {
    let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
      request.on("end", () => answer(request, response, body));
    });
    let search: SearchProvider;
    let asked: string[];
    beforeAll(async () => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      search = provider.create(base, new ProviderClient(500));
    });
    afterAll(async () => {
      await search.close();
      server.closeAllConnections();
      server.close();
    });
    const json = (response: ServerResponse, body: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const telling = (told: readonly KnownPage[]) => {
      answer = (request, response, body) => {
        const query = provider.readQuery(request, body);
        asked.push(query);
        json(response, provider.answer(query, told));
      };
    };
    beforeEach(() => {
      asked = [];
      telling(pages);
    });

    test("finds pages in the provider's order, as plain text", async () => {
      expect(await search.search("rain in 上海", 5, never)).toEqual(
        pages.map((page) => expect.objectContaining(provider.found(page))),
      );
      expect(asked).toEqual(["rain in 上海"]);
    });

    test("finds no more than was asked for, and no address twice", async () => {
      telling([...pages, ...pages]);
      expect(await search.search("rain", 3, never)).toHaveLength(3);
      expect(await search.search("rain", 20, never)).toHaveLength(pages.length);
    });

    test("finds nothing where there is nothing", async () => {
      telling([]);
      expect(await search.search("rain", 5, never)).toEqual([]);
    });

    test("takes a query of any length and any characters", async () => {
      const long = `${"why does 雨 fall? & = # % 😀 ".repeat(200)}`;
      await search.search(long, 5, never);
      expect(long).toContain(asked[0]);
      expect(Array.from(asked[0] ?? "").length).toBeLessThanOrEqual(400);
      await search.search("a&b=c#d%20?", 5, never);
      expect(asked[1]).toBe("a&b=c#d%20?");
    });

    test.each(
      Object.entries({
        429: "rate_limited",
        500: "unavailable",
        503: "unavailable",
        401: "refused",
        ...provider.refusals,
      }),
    )("says what the status %s means", async (status, failure) => {
      answer = (_request, response) => json(response, { error: "secret words" }, Number(status));
      expect(await failureOf(search.search("rain", 5, never))).toBe(failure);
      // The connection is of use again.
      telling(pages);
      expect(await search.search("rain", 5, never)).toHaveLength(5);
    });

    test.each([
      ["a web page", "<html>Hello</html>"],
      ["half an answer", '{"results": [{"url"'],
      ["nothing", ""],
      ["null", "null"],
      ["a list", "[]"],
      [
        "results that are none",
        '{"results": 5, "query": {"search": "x"}, "web": {"results": {}}, "type": "search"}',
      ],
      ["another kind of answer", '{"type": "ErrorResponse", "id": "1"}'],
    ])("takes %s for no results", async (_what, body) => {
      answer = (_request, response) => void response.end(body);
      expect(await failureOf(search.search("rain", 5, never))).toBe("protocol");
    });

    test("leaves out what is no result", async () => {
      const bad = [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://user:pass@host.com/",
        `https://host.com/${"a".repeat(3000)}`,
        "not an address",
      ].map((url) => ({ ...pages[0], url, title: "" }) as KnownPage);
      telling([...bad, pages[1] as KnownPage]);
      const found = await search.search("rain", 5, never);
      expect(found.map(({ url }) => new URL(url).pathname)).toEqual(["/wiki/Page_2"]);
    });

    test("bounds texts, and makes them one plain line", async () => {
      const long = { ...pages[0], snippet: `a\u0000\n\u202eb ${"x".repeat(9000)}` } as KnownPage;
      telling([long]);
      const [hit] = await search.search("rain", 5, never);
      expect(hit?.snippet.length).toBeLessThanOrEqual(1000);
      expect(hit?.snippet).toMatch(/^a b x/u);
    });

    test("does not wait for one that is silent, nor read one that never ends", async () => {
      answer = () => {};
      expect(await failureOf(search.search("rain", 5, never))).toBe("timeout");
      answer = (_request, response) => {
        response.on("error", () => {});
        response.write('{"results": [');
        const more = (): void => {
          while (!response.destroyed && response.write("1,".repeat(64 * 1024)));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      };
      expect(await failureOf(search.search("rain", 5, never))).toBe("protocol");
    });

    test("says that it cannot be reached", async () => {
      answer = (request) => request.socket.destroy();
      expect(await failureOf(search.search("rain", 5, never))).toBe("unavailable");
    });

    test("ends with whoever asks", async () => {
      const asker = new AbortController();
      answer = () => asker.abort();
      expect(await failureOf(search.search("rain", 5, asker.signal))).toBe("AbortError");
      expect(await failureOf(search.search("rain", 5, asker.signal))).toBe("AbortError");
    });
  });
}
