import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { pagePolicy } from "../../platform/http/page-policy.ts";
import { outsideSources } from "./outside-sources.ts";

const policyOf = (settings: Record<string, string>) => pagePolicy(outsideSources(readConfig(settings)));

test("by default a page loads nothing from outside and calls nobody else", () => {
  expect(policyOf({}).split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
});

test("what the operator set is let in by its origin, each where it is needed and nowhere else", () => {
  const policy = policyOf({
    SUPPORT_URL: "https://help.example/widget.js",
    SUPPORT_APP_ID: "a",
    ANALYTICS_URL: "https://count.example/a.js",
    ERROR_REPORT_URL: "https://errors.example:8443/in?key=1",
    WECHAT_QR_URL: "https://pictures.example/qr.png",
    FAQ_URL: "https://elsewhere.example/",
  });
  expect(policy).toContain("script-src 'self' https://help.example https://count.example;");
  expect(policy).toContain(
    "connect-src 'self' https://help.example wss://help.example https://count.example https://errors.example:8443;",
  );
  expect(policy).toContain("frame-src 'self' https://help.example;");
  expect(policy).toContain(
    "img-src 'self' data: blob: https://help.example https://count.example https://pictures.example;",
  );
  expect(policy).not.toContain("elsewhere");
});

test("a captcha of others is let in where one is configured, and its own script in place of the service's", () => {
  const keys = { CAPTCHA_SITE_KEY: "k", CAPTCHA_SECRET: "s", CAPTCHA_ORGANIZATION: "o" };
  const turnstile = policyOf({ ...keys, CAPTCHA: "turnstile" });
  for (const name of ["script-src", "style-src", "connect-src", "frame-src"])
    expect(turnstile).toContain(`${name} 'self' https://challenges.cloudflare.com;`);
  expect(policyOf({ ...keys, CAPTCHA: "shumei", CAPTCHA_REGION: "SG" })).toContain(
    "script-src 'self' https://castatic-xjp.fengkongcloud.cn https://captcha-xjp.fengkongcloud.cn;",
  );
  expect(
    policyOf({ ...keys, CAPTCHA: "hcaptcha", CAPTCHA_SCRIPT_URL: "https://own.example/h.js" }),
  ).toContain("script-src 'self' https://own.example https://hcaptcha.com");
  expect(policyOf({ CAPTCHA: "slide" })).toBe(policyOf({ CAPTCHA: "none" }));
});

test("links of the desktop app may be opened in a frame where its scheme is set, and nothing else changes", () => {
  expect(policyOf({ DESKTOP_SCHEME: "plumb-app" })).toBe(
    policyOf({}).replace("frame-src 'self'", "frame-src 'self' plumb-app:"),
  );
});
