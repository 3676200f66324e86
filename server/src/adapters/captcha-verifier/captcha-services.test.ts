import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../platform/logger.ts";
import type { CaptchaAnswer } from "../../ports/captcha-verifier.ts";
import { createHcaptcha, createShumei, createTurnstile } from "./captcha-services.ts";

const none: CaptchaAnswer = { turnstile_token: null, hcaptcha_token: null, shumei_verification: null };
const all = (token: string): CaptchaAnswer => ({
  turnstile_token: token,
  hcaptcha_token: token,
  shumei_verification: { region: "CN", rid: token },
});

let url: string;
let asked: { type: string; body: string }[] = [];
let answer: { status: number; body: string };
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += String(part)));
  request.on("end", () => {
    asked.push({ type: String(request.headers["content-type"]), body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const log = createLogger("silent");
const services = {
  turnstile: () => createTurnstile({ secret: "s3cret", url, log }),
  hcaptcha: () => createHcaptcha({ secret: "s3cret", url, log, siteKey: "site" }),
  shumei: () => createShumei({ secret: "s3cret", url, log, region: "CN" }),
};
const passed = {
  turnstile: '{"success":true,"error-codes":[],"hostname":"x"}',
  hcaptcha: '{"success":true}',
  shumei: '{"code":1100,"message":"成功","riskLevel":"PASS","detail":{}}',
};
const refused = {
  turnstile: '{"success":false,"error-codes":["timeout-or-duplicate"]}',
  hcaptcha: '{"success":false,"error-codes":["invalid-or-already-seen-response"]}',
  shumei: '{"code":1100,"riskLevel":"REJECT"}',
};
const questions = {
  turnstile: {
    type: "application/json",
    body: '{"secret":"s3cret","response":"tok","remoteip":"192.0.2.7"}',
  },
  hcaptcha: {
    type: "application/x-www-form-urlencoded",
    body: "secret=s3cret&response=tok&remoteip=192.0.2.7&sitekey=site",
  },
  shumei: {
    type: "application/json",
    body: '{"accessKey":"s3cret","rid":"tok","data":{"rid":"tok","ip":"192.0.2.7"}}',
  },
};

describe.each(["turnstile", "hcaptcha", "shumei"] as const)("%s", (name) => {
  const ask = (given: CaptchaAnswer = all("tok")) => services[name]().passes(given, "192.0.2.7");

  it("asks the service with the secret, the answer and the address, and takes its word", async () => {
    answer = { status: 200, body: passed[name] };
    expect(await ask()).toBe(true);
    expect(asked).toEqual([questions[name]]);
    answer = { status: 200, body: refused[name] };
    expect(await ask()).toBe(false);
  });

  it.each(["", "x".repeat(8193), null])(
    "asks nothing about no answer or an endless one (%#)",
    async (token) => {
      expect(await ask(token === null ? none : all(token))).toBe(false);
      expect(asked).toEqual([]);
    },
  );

  it.each([
    [200, "<html>"],
    [200, "null"],
    [200, "[]"],
    [200, '{"success":"true","riskLevel":"PASS"}'],
    [200, '{"code":1902,"riskLevel":"PASS","success":false,"error-codes":["invalid-input-secret"]}'],
    [500, passed[name]],
    [302, passed[name]],
    [200, `"${"x".repeat(300_000)}"`],
  ])("lets nobody through on %s %s", async (status, body) => {
    answer = { status, body };
    expect(await ask()).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it("lets nobody through while the service is away", async () => {
    const options = { secret: "s", url: "http://127.0.0.1:1/", log };
    const away = {
      turnstile: createTurnstile(options),
      hcaptcha: createHcaptcha({ ...options, siteKey: null }),
      shumei: createShumei({ ...options, region: "SG" }),
    };
    expect(await away[name].passes(all("tok"), "192.0.2.7")).toBe(false);
  });
});
