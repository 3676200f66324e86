import { expect, it } from "vitest";
import { captchaService, isWidget, shumeiDomain } from "./captcha-services.ts";

it("Shumei's script and service are those of the region [AUTH-060] [AUTH-061]", () => {
  const of = (region: Parameters<typeof shumeiDomain>[0]) => [
    new URL(captchaService("shumei", region)?.script ?? "").host,
    shumeiDomain(region),
  ];
  expect(of("CN")).toEqual(["castatic.fengkongcloud.cn", "captcha.fengkongcloud.cn"]);
  expect(of("US")).toEqual(["castatic-fjny.fengkongcloud.cn", "captcha-fjny.fengkongcloud.cn"]);
  expect(of("SG")).toEqual(["castatic-xjp.fengkongcloud.cn", "captcha-xjp.fengkongcloud.cn"]);
  expect(of("GLOBAL")).toEqual(of("SG"));
});

it("the own puzzle and none load nothing of others; widgets are those of others that are no puzzle", () => {
  expect(captchaService("slide", "CN")).toBeNull();
  expect(captchaService("none", "CN")).toBeNull();
  expect(
    ["none", "slide", "shumei", "turnstile", "hcaptcha"].filter((mode) => isWidget(mode as "none")),
  ).toEqual(["turnstile", "hcaptcha"]);
});
