// Where the captchas of others come from: the script that the page loads, and what its policy has to allow for it.

export type CaptchaMode = "none" | "slide" | "turnstile" | "hcaptcha" | "shumei";
export type CaptchaRegion = "CN" | "US" | "SG" | "GLOBAL";

interface CaptchaService {
  script: string;
  /** Whom the page talks to while it runs, beside the script's own origin. */
  hosts: readonly string[];
}

/** Shumei's domains by region; customers without a region of their own are served from Singapore. */
const SHUMEI: Record<CaptchaRegion, { files: string; service: string }> = {
  CN: { files: "castatic.fengkongcloud.cn", service: "captcha.fengkongcloud.cn" },
  US: { files: "castatic-fjny.fengkongcloud.cn", service: "captcha-fjny.fengkongcloud.cn" },
  SG: { files: "castatic-xjp.fengkongcloud.cn", service: "captcha-xjp.fengkongcloud.cn" },
  GLOBAL: { files: "castatic-xjp.fengkongcloud.cn", service: "captcha-xjp.fengkongcloud.cn" },
};

/** The domain of Shumei's service for a region. */
export function shumeiDomain(region: CaptchaRegion): string {
  return SHUMEI[region].service;
}

/** Null where nothing of others is loaded. */
export function captchaService(mode: CaptchaMode, region: CaptchaRegion): CaptchaService | null {
  switch (mode) {
    case "turnstile":
      return {
        script: "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit",
        hosts: ["https://challenges.cloudflare.com"],
      };
    case "hcaptcha":
      return {
        script: "https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off",
        hosts: ["https://hcaptcha.com", "https://*.hcaptcha.com"],
      };
    case "shumei": {
      const { files, service } = SHUMEI[region];
      return {
        script: `https://${files}/pr/v1.0.4/smcp.min.js`,
        hosts: [`https://${files}`, `https://${service}`],
      };
    }
    case "none":
    case "slide":
      return null;
  }
}

/** Whether a widget of others tells people from machines, rather than a puzzle (requirements 0§6). */
export function isWidget(mode: CaptchaMode): boolean {
  return mode === "turnstile" || mode === "hcaptcha";
}
