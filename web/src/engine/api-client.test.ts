import { describe, expect, it } from "vitest";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { createApiClient } from "./api-client.ts";
import { createFakeBrowser, type Network } from "./testing/fake-browser.ts";
import { globalError, ok, openBody, refused } from "./testing/fake-answers.ts";

function client(network: Network) {
  const browser = createFakeBrowser(network);
  const seen: [number, string | null][] = [];
  const api = createApiClient(browser, {
    token: () => "t",
    locale: () => "zh_CN",
    onGlobalCode: (code, token) => void seen.push([code, token]),
  });
  return { browser, api, seen };
}
const send = { chat_session_id: "s", prompt: "p" };

describe("a call", () => {
  it("[PLAT-002] [PLAT-003] [PLAT-004] sends the headers of the contract, and a query without empty keys", async () => {
    let path = "";
    let headers: Record<string, string> = {};
    const { api } = client((called, init) => {
      path = called;
      headers = init.headers;
      return ok(null);
    });
    await api.call(historyMessages, { chat_session_id: "a b", cache_version: null });
    expect(path).toBe("/api/v0/chat/history_messages?chat_session_id=a+b");
    expect(headers).toEqual({
      authorization: "Bearer t",
      "x-app-version": "1.0.0",
      "x-client-platform": "web",
      "x-client-version": "1.0.0",
      "x-client-locale": "zh_CN",
      "x-client-timezone-offset": "0",
    });
  });

  it("[PLAT-005] reads the trace id from its header where the body tells none", async () => {
    const headers = { "x-ds-trace-id": "feed" };
    const { api } = client(() => new Response("<html>", { status: 502, headers }));
    expect(await api.call(currentUser, {})).toMatchObject({ ok: false, error: { logId: "feed" } });
  });

  it.each([
    [() => refused(1, "NO"), { kind: "refused", scope: "call", code: 1, msg: "NO", data: null }],
    [() => globalError(40014, "REVIEW"), { kind: "refused", scope: "global", code: 40014 }],
    [() => globalError(42903, "SLOW", 429), { kind: "http", status: 429, code: 42903 }],
    [() => new Response("<html>", { status: 502 }), { kind: "http", status: 502, code: null }],
    [() => new Response("<html>"), { kind: "network" }],
    [() => new Response('{"code":0}'), { kind: "network" }],
    [() => Promise.reject(new TypeError("fetch failed")), { kind: "network", reason: "fetch failed" }],
  ])("ends in one of four kinds of error (%#)", async (answer, error) => {
    const { api } = client(answer);
    expect(await api.call(currentUser, {})).toMatchObject({ ok: false, error });
    const stream = await api.openStream(completion, send);
    expect(stream).toMatchObject({ kind: "error", error });
  });

  it("[STRM-048] is silent when it was aborted, and counts as lost when it took too long", async () => {
    const { api, browser } = client(() => new Promise<Response>(() => {}));
    const abort = new AbortController();
    const aborted = api.call(currentUser, {}, { signal: abort.signal });
    abort.abort();
    expect(await aborted).toEqual({ ok: false, error: { kind: "aborted" } });
    const slow = api.call(currentUser, {}, { timeoutMs: 100 });
    await browser.advance(100);
    expect(await slow).toMatchObject({ ok: false, error: { kind: "network" } });
  });

  it("tells of global codes with the token they were for", async () => {
    const { api, seen } = client(() => globalError(40003, "INVALID_TOKEN"));
    await api.call(currentUser, {});
    expect(seen).toEqual([[40003, "t"]]);
  });

  it("[STRM-003] decides by content type what a stream call answered", async () => {
    const { api } = client(() => openBody(undefined).response);
    expect(await api.openStream(completion, send)).toMatchObject({ kind: "stream" });
    const json = client(() => refused(6, "EMPTY_PROMPT")).api;
    expect(await json.openStream(completion, send)).toMatchObject({
      kind: "error",
      error: { kind: "refused", code: 6 },
    });
  });
});
