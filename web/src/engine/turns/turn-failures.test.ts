import { describe, expect, it } from "vitest";
import { globalError, LOG_ID, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const COMPLETION = "/api/v0/chat/completion";
const CURRENT = "/api/v0/users/current";

/** Sends "2+2?" in an empty session: what the user sees of the answer. */
async function outcome(answer: () => Response) {
  const server = createFakeServer();
  server.addSession("s1");
  server.answer(COMPLETION, answer);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  await page.engine.turns.send("s1", "2+2?");
  await page.browser.settle();
  const hint = page.shown("s1").at(-1)?.hint ?? null;
  const toast = page.engine.site.toasts.getState().toasts[0] ?? null;
  const result = {
    hint: hint && {
      ...hint.text,
      click: hint.clickBehavior,
      traceId: hint.traceId,
      retryAt: hint.retryAt,
    },
    toast: toast && toast.text,
    roles: page.shown("s1").map(({ role }) => role),
    state: page.state("s1"),
    draft: page.engine.sessions.store.getState().drafts["s1"],
    page,
  };
  page.close();
  return result;
}

const hints: [string, () => Response, string, "retry" | "none"][] = [
  ["[STRM-024] code 2", () => refused(2, "PARENT_MESSAGE_NOT_ASSISTANT"), "invalidParams", "none"],
  ["[STRM-024] code 2, schema", () => refused(2, "INVALID_PARAMS"), "invalidParams", "none"],
  ["[STRM-025] code 3", () => refused(3, "MAX_MESSAGE_COUNT_REACHED"), "messageLimitReached", "none"],
  ["[STRM-028] code 6", () => refused(6, "EMPTY_PROMPT"), "emptyPrompt", "none"],
  ["[STRM-033] code 11", () => refused(11, "LAST_MESSAGE_IS_WIP"), "lastMessageInProgress", "retry"],
  ["[STRM-034] code 13", () => refused(13, "THINKING_WITH_FILE"), "thinkingWithFile", "none"],
  ["[STRM-036] code 17", () => refused(17, "SEARCH_WITH_FILE"), "searchWithFile", "none"],
  ["code 19", () => refused(19, "INVALID_UNICODE"), "invalidUnicode", "none"],
  ["[STRM-037] code 20", () => refused(20, "CHARACTER_NOT_AVAILABLE"), "agentNotAvailable", "none"],
  ["code 21", () => refused(21, "SEARCH_NOT_WITH_CHARACTER"), "searchNotWithCharacter", "none"],
  ["[STRM-044] HTTP 429", () => new Response("slow down", { status: 429 }), "rateLimitReached", "retry"],
  ["42901", () => globalError(42901, "RPD_RATE_LIMIT_REACHED", 429), "rpdRateLimitReached", "retry"],
  [
    "42902",
    () => globalError(42902, "TOO_MANY_CONCURRENT_REQUESTS", 429),
    "tooManyConcurrentRequests",
    "retry",
  ],
  ["42905", () => globalError(42905, "SERVER_BUSY", 429), "serverBusy", "retry"],
  ["40029", () => globalError(40029, "IP_ACCESS_RESTRICTED", 429), "tooManyRequests", "retry"],
  ["[STRM-045] HTTP 502", () => new Response("<html>", { status: 502 }), "serverUnavailable", "none"],
  ["[STRM-045] 50300", () => globalError(50300, "SERVICE_UNAVAILABLE", 503), "serverUnavailable", "none"],
  ["41300", () => globalError(41300, "BODY_TOO_LARGE", 413), "messageTooLong", "none"],
  ["HTTP 413 of a proxy", () => new Response("<html>", { status: 413 }), "messageTooLong", "none"],
  ["[STRM-046] HTTP 418", () => new Response("", { status: 418 }), "unexpectedRequest3Code", "none"],
];

const toasts: [string, () => Response, string][] = [
  ["[STRM-026] code 4", () => refused(4, "REGENERATE_ON_TEMPLATE_RESPONSE"), "cannotRegenerate"],
  ["code 9", () => refused(9, "INVALID_FILE_REFERENCE"), "invalidFileReference"],
  ["code 10", () => refused(10, "SESSION_FILE_LIMIT_REACHED"), "sessionFileLimit"],
  ["code 12", () => refused(12, "EDIT_NOT_ALLOWED"), "editNotAllowed"],
  ["code 18", () => refused(18, "CLIENT_STREAM_ID_REUSED"), "unexpectedRequest3"],
  ["code 20, deleted role", () => refused(20, "CHARACTER_DELETED"), "characterDeleted"],
  ["[STRM-039] code 23", () => refused(23, "MESSAGE_IS_NOT_LEAF"), "messageIsNotLeaf"],
  ["[STRM-040] code 24", () => refused(24, "CURRENT_MESSAGE_LOCKED"), "messageLocked"],
  ["[STRM-041] code 25", () => refused(25, "PARENT_MESSAGE_LOCKED"), "messageLocked"],
  ["[STRM-042] code 26", () => refused(26, "INVALID_PARENT_MESSAGE_ID"), "unexpectedRequest1"],
  ["code 26, message", () => refused(26, "INVALID_MESSAGE_ID"), "unexpectedRequest2"],
  ["code 27", () => refused(27, "MODEL_NOT_AVAILABLE"), "modelNotAvailable"],
  ["code 28", () => refused(28, "SESSION_HAS_NEWER_MESSAGES"), "sessionHasNewerMessages"],
  ["40013", () => globalError(40013, "MOBILE_NOT_VERIFIED"), "mobileNotVerified"],
  ["40014", () => globalError(40014, "ACCOUNT_UNDER_REVIEW"), "accountUnderReview"],
  ["42903", () => globalError(42903, "OPERATION_TOO_FREQUENT", 429), "operationTooFrequent"],
];

/** A date so many seconds after a fake page's clock, as headers have it. */
const at = (secs: number): string => new Date(emptyDisk().now + secs * 1000).toUTCString();

describe("a refused send", () => {
  it.each(hints)("%s: a hint at the user message, which stays", async (_name, answer, key, click) => {
    const { hint, toast, roles, state, draft } = await outcome(answer);
    expect(hint).toMatchObject({ key, click });
    expect(toast).toBeNull();
    expect({ roles, state, draft }).toEqual({ roles: ["USER"], state: "idle", draft: "2+2?" });
  });

  it.each(toasts)("%s: a toast, and the text is given back", async (_name, answer, key) => {
    const { hint, toast, roles, state, draft } = await outcome(answer);
    expect(toast).toMatchObject({ key });
    expect(hint).toBeNull();
    expect({ roles, state, draft }).toEqual({ roles: [], state: "idle", draft: "2+2?" });
  });

  it.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "12" }, 12],
    ["a date of the server's clock", { "retry-after": at(90), date: at(60) }, 30],
    ["a date, the clock unknown", { "retry-after": at(45) }, 45],
    ["a date that is past", { "retry-after": at(-45) }, undefined],
    ["no time at all", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
    ["half a year", { "retry-after": "15552000" }, undefined],
  ])("429 with %s says when another try helps, and keeps the text", async (_title, headers, secs) => {
    const { hint, draft, page } = await outcome(() => new Response("slow down", { status: 429, headers }));
    expect(hint).toMatchObject({ key: "rateLimitReached", click: "retry" });
    expect(hint?.retryAt).toBe(secs === undefined ? undefined : page.browser.now() + secs * 1000);
    expect(draft).toBe("2+2?");
  });

  it("a limit that shows as a toast says the seconds in it", async () => {
    const body = JSON.stringify({ code: 42903, msg: "OPERATION_TOO_FREQUENT", data: null });
    const headers = { "retry-after": "7", "content-type": "application/json" };
    const { toast } = await outcome(() => new Response(body, { status: 429, headers }));
    expect(toast).toEqual({ key: "tooOftenFor", params: { wait: { wait: 7 } } });
  });

  it("no proof for want of one: the wait that its limit asks for", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    server.answer(
      "/api/v0/chat/create_pow_challenge",
      () => new Response("", { status: 429, headers: { "retry-after": "9" } }),
    );
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(await page.engine.turns.send("s1", "2+2?")).toBe(false);
    const { hint } = page.shown("s1").at(-1)!;
    expect(hint).toMatchObject({ text: { key: "networkError" }, clickBehavior: "retry" });
    expect(hint?.retryAt).toBe(page.browser.now() + 9000);
    page.close();
  });

  it("a fault of the server carries its trace id, what the user can mend does not", async () => {
    const fault = await outcome(() => globalError(50300, "SERVICE_UNAVAILABLE", 503));
    expect(fault.hint?.traceId).toBe(LOG_ID);
    const empty = await outcome(() => refused(6, "EMPTY_PROMPT"));
    expect(empty.hint).toMatchObject({ key: "emptyPrompt", traceId: undefined });
  });

  it("[STRM-046] [ERR-015] the fallback shows the status", async () => {
    const { hint } = await outcome(() => new Response("", { status: 418 }));
    expect(hint).toMatchObject({ params: { code: 418 } });
  });

  it("[STRM-027] [ACCT-009] code 5 stores the mute, shows until when, and fetches the user again", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    server.answer(COMPLETION, () => refused(5, "USER_IS_MUTED", { mute_until: 1_790_000_100, is_muted: 1 }));
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    const before = server.calls(CURRENT).length;
    server.answer(CURRENT, () => new Promise(() => {}));
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(page.shown("s1").at(-1)?.hint).toMatchObject({
      text: { key: "mutedUntil", params: { mute_until: { moment: 1_790_000_100 } } },
      clickBehavior: "none",
    });
    expect(page.engine.accounts.auth.getState().user?.chat).toEqual({
      is_muted: 1,
      mute_until: 1_790_000_100,
    });
    expect(server.calls(CURRENT)).toHaveLength(before + 1);
    page.close();
  });

  it("[ERR-014] an unknown global code is logged with its trace id", async () => {
    const { hint, toast, state, page } = await outcome(() => globalError(49999, "NEW"));
    expect({ hint, toast, state }).toEqual({ hint: null, toast: null, state: "idle" });
    expect(
      page.browser.logged.some((line) => /^unknown global code 49999 \([0-9a-f]{32}\)$/.test(line)),
    ).toBe(true);
  });

  it("[STRM-035] code 15 shows the number per day that the server sent", async () => {
    const { hint } = await outcome(() =>
      refused(15, "THINKING_QUOTA_EXCEEDED", { quota: 50, used: 50, reset_at: 1_790_006_400 }),
    );
    expect(hint).toMatchObject({ key: "thinkingQuotaExceeded", params: { quota: 50 } });
  });

  it("[STRM-043] any other code is only logged", async () => {
    const { hint, toast, roles, state, page } = await outcome(() => refused(77, "SOMETHING_NEW"));
    expect({ hint, toast, roles, state }).toEqual({ hint: null, toast: null, roles: [], state: "idle" });
    expect(page.browser.logged).toContain("stream code 77 SOMETHING_NEW");
  });

  it("[STRM-023] code 1 drops the session with a toast and goes home", async () => {
    const { toast, state, page } = await outcome(() => refused(1, "ILLEGAL_CHAT_SESSION_ID"));
    expect(toast).toMatchObject({ key: "chatNotFound" });
    expect(state).toBeUndefined();
    expect(page.engine.site.navigation.getState().to).toBe("/");
  });

  it("a refused proof is shown with its number and drops the kept one", async () => {
    const { toast, page } = await outcome(() => globalError(40301, "INVALID_POW_RESPONSE"));
    expect(toast).toMatchObject({ key: "validationFailed", params: { code: 40301 } });
    expect(page.engine.site.toasts.getState().toasts).toHaveLength(1);
  });
});
