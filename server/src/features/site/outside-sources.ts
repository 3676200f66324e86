// What pages load from outside: nothing, but for what the operator has set.
import { captchaService } from "@plumb/protocol/rules/captcha-services";
import type { Config } from "../../config.ts";
import type { OutsideSources } from "../../platform/http/page-policy.ts";

export function outsideSources({
  support,
  analytics,
  links,
  captcha,
  wechat,
  desktopScheme,
}: Config): OutsideSources {
  const service = captchaService(captcha.mode, captcha.region);
  const ofCaptcha =
    service === null ? [] : [...originsOf([captcha.scriptUrl ?? service.script]), ...service.hosts];
  const ofSupport = originsOf([support?.scriptUrl]);
  const ofAnalytics = originsOf([analytics.scriptUrl]);
  return {
    scripts: [...ofSupport, ...ofAnalytics, ...ofCaptcha],
    styles: ofCaptcha,
    calls: [
      ...ofSupport,
      // A messenger hears of answers over a socket.
      ...ofSupport.map((origin) => origin.replace(/^http/u, "ws")),
      ...ofAnalytics,
      ...originsOf([analytics.errorReportUrl]),
      ...ofCaptcha,
    ],
    frames: [
      ...ofSupport,
      ...ofCaptcha,
      ...originsOf([wechat?.loginUrl]),
      // The desktop app hears of a sign-in by a link that a hidden frame opens.
      ...(desktopScheme === null ? [] : [`${desktopScheme}:`]),
    ],
    images: [...ofSupport, ...ofAnalytics, ...originsOf(Object.values(links.wechat_qr)), ...ofCaptcha],
  };
}

function originsOf(addresses: readonly (string | null | undefined)[]): string[] {
  return addresses
    .filter((address) => address !== null && address !== undefined)
    .map((address) => new URL(address).origin);
}
