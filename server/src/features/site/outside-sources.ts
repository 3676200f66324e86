// What pages load from outside: nothing, but for what the operator has set.
import type { Config } from "../../config.ts";
import type { OutsideSources } from "../../platform/http/page-policy.ts";

export function outsideSources({ support, analytics, links }: Config): OutsideSources {
  const ofSupport = originsOf([support?.scriptUrl]);
  const ofAnalytics = originsOf([analytics.scriptUrl]);
  return {
    scripts: [...ofSupport, ...ofAnalytics],
    calls: [
      ...ofSupport,
      // A messenger hears of answers over a socket.
      ...ofSupport.map((origin) => origin.replace(/^http/u, "ws")),
      ...ofAnalytics,
      ...originsOf([analytics.errorReportUrl]),
    ],
    frames: ofSupport,
    images: [...ofSupport, ...ofAnalytics, ...originsOf(Object.values(links.wechat_qr))],
  };
}

function originsOf(addresses: readonly (string | null | undefined)[]): string[] {
  return addresses
    .filter((address) => address !== null && address !== undefined)
    .map((address) => new URL(address).origin);
}
