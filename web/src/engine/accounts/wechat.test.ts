import { LIMITS } from "@plumb/protocol/limits";
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { keepUsage, keptUsage, takeSignature } from "./kept-signature.ts";
import { openPage } from "../testing/open-page.ts";

const START = "/api/v0/users/oauth/wechat/start";
const BIND = "/api/v0/users/oauth/wechat/mobile_verification";
const user = { id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null } };
const input = { signature: "s", mobile: "13812345678", code: "123456", usage: ["research" as const] };

it("gives the address of the page with the QR code, or none [AUTH-150]", async () => {
  const server = createFakeServer();
  const page = await openPage(server, emptyDisk());
  const qr = "https://open.example/qr?scope=snsapi_login&state=beta.x&appid=wx";
  const started = { app_id: "wx", scope: "snsapi_login", state: "beta.x", redirect_uri: "r", qr_url: qr };
  server.answer(START, () => ok({ code: 0, msg: "", ...started }));
  expect(await page.engine.accounts.wechatPage()).toBe(qr);
  server.answer(START, () => refused(1, "WECHAT_NOT_CONFIGURED"));
  expect(await page.engine.accounts.wechatPage()).toBeNull();
  page.close();
});

it("a bound phone is a sign-in", async () => {
  const server = createFakeServer();
  server.answer(BIND, () => ok({ code: 0, msg: "", user, success_code: "REGISTERED_WECHAT_AND_MOBILE" }));
  const page = await openPage(server, emptyDisk());
  expect(await page.engine.accounts.bindWechat(input)).toEqual({ ok: true });
  expect(server.calls(BIND)[0]?.body).toEqual({
    signature: "s",
    area_code: "+86",
    mobile_number: "13812345678",
    sms_verification_code: "123456",
    usage: ["research"],
  });
  expect(page.engine.accounts.auth.getState().status).toBe("yes");
  page.close();
});

it.each([
  [1, null, "accountExists", false],
  [2, null, "registrationExpired", true],
  [3, null, "wechatProfileFailed", true],
  [4, null, "wechatLinkInvalid", false],
  [5, null, "phoneOfOtherWechat", false],
  [6, null, "wechatOfOtherPhone", false],
  [7, "code", "codeExpired", false],
  [8, "code", "codeWrong", false],
  [10, null, "accountSuspended", false],
  [12, "mobile", "phoneInvalid", false],
  [13, null, "registrationClosed", false],
  [14, null, "onlyMainland", false],
])(
  "refusal %d is told at %s as %s; it is over: %s [AUTH-157] [AUTH-162] [AUTH-163]",
  async (code, field, key, isOver) => {
    const server = createFakeServer();
    server.answer(BIND, () => refused(code, "X"));
    const page = await openPage(server, emptyDisk());
    expect(await page.engine.accounts.bindWechat(input)).toEqual({ ok: false, field, text: { key }, isOver });
    expect(page.engine.accounts.auth.getState().status).toBe("no");
    page.close();
  },
);

it("another refusal is told with its number", async () => {
  const server = createFakeServer();
  server.answer(BIND, () => refused(9, "INTERNAL_ERROR"));
  const page = await openPage(server, emptyDisk());
  expect(await page.engine.accounts.bindWechat(input)).toMatchObject({
    ok: false,
    text: { key: "verificationFailedCode", params: { code: 9 } },
  });
  server.answer(BIND, () => globalError(41300, "BODY_TOO_LARGE", 413));
  expect(await page.engine.accounts.bindWechat(input)).toMatchObject({
    ok: false,
    text: { key: "verificationFailedCode", params: { code: 41300 } },
  });
  page.close();
});

describe("the signature of a phone that is being bound (wire-contract.md §8.12)", () => {
  async function opened() {
    const server = createFakeServer();
    const disk = emptyDisk();
    const page = await openPage(server, disk);
    expect(takeSignature(page.browser, "sig-1")).toBe("sig-1");
    return { server, disk, page };
  }

  it("survives a reload of its tab, until it is good no more", async () => {
    const { server, disk, page } = await opened();
    page.close();
    const again = await openPage(server, disk);
    expect(takeSignature(again.browser, "")).toBe("sig-1");
    await again.browser.advance(LIMITS.bindingSignatureLifeSecs * 1000);
    expect(takeSignature(again.browser, null)).toBeNull();
    expect([disk.tabValues.size, JSON.stringify([...disk.values])]).toEqual([
      0,
      expect.not.stringContaining("sig-1"),
    ]);
    again.close();
  });

  it("and what was chosen with it are kept together, and another one comes with nothing chosen", async () => {
    const { server, disk, page } = await opened();
    expect(keptUsage(page.browser)).toEqual([]);
    keepUsage(page.browser, ["research", "business"]);
    page.close();
    const again = await openPage(server, disk);
    expect([takeSignature(again.browser, null), keptUsage(again.browser)]).toEqual([
      "sig-1",
      ["business", "research"],
    ]);
    keepUsage(again.browser, []);
    expect([takeSignature(again.browser, null), keptUsage(again.browser)]).toEqual(["sig-1", []]);
    keepUsage(again.browser, ["others"]);
    takeSignature(again.browser, "sig-2");
    expect(keptUsage(again.browser)).toEqual([]);
    keepUsage(again.browser, ["others"]);
    await again.browser.advance(LIMITS.bindingSignatureLifeSecs * 1000);
    expect(takeSignature(again.browser, null)).toBeNull();
    keepUsage(again.browser, ["others"]);
    expect([keptUsage(again.browser), disk.tabValues.size]).toEqual([[], 0]);
    again.close();
  });

  it.each([
    [5, "sig-1"],
    [7, "sig-1"],
    [8, "sig-1"],
    [9, "sig-1"],
    [10, "sig-1"],
    [12, "sig-1"],
    [13, "sig-1"],
    [14, "sig-1"],
    [1, null],
    [2, null],
    [3, null],
    [4, null],
    [6, null],
  ])("after refusal %d is %s", async (code, left) => {
    const { server, page } = await opened();
    server.answer(BIND, () => refused(code, "X"));
    await page.engine.accounts.bindWechat({ ...input, signature: "sig-1" });
    expect(takeSignature(page.browser, null)).toBe(left);
    page.close();
  });

  it("outlives a server that is away, and ends with the sign-in of anybody", async () => {
    const { server, disk, page } = await opened();
    server.answer(BIND, () => globalError(50300, "SERVICE_UNAVAILABLE", 503));
    await page.engine.accounts.bindWechat(input);
    expect(takeSignature(page.browser, null)).toBe("sig-1");
    server.answer("/api/v0/users/login", () => ok({ code: 0, msg: "", user }));
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    expect([takeSignature(page.browser, null), disk.tabValues.size]).toEqual([null, 0]);
    page.close();
  });
});
