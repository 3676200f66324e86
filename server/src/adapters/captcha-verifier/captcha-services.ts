// The captchas of others, each asked at its own server whether an answer holds: Turnstile, hCaptcha and Shumei.
import type { CaptchaVerifier } from "../../ports/captcha-verifier.ts";
import { askJson, type JsonQuestion, NoAnswer } from "../../platform/http/ask-json.ts";
import type { Logger } from "../../platform/logger.ts";

const TIMEOUT_MS = 5000;
/** No service gives a longer one. */
const TOKEN_CHARS = 8192;

export interface CaptchaServiceOptions {
  secret: string;
  /** Null: the service's own address. */
  url: string | null;
  log: Logger;
}

type Fields = Record<string, unknown>;

interface Service {
  url: string;
  tokenOf(answer: Parameters<CaptchaVerifier["passes"]>[0]): string | null;
  question(token: string, ip: string): Required<Pick<JsonQuestion, "body">>;
  /** Null: it says nothing about the answer but that something is wrong with our question. */
  verdict(said: Fields): boolean | null;
}

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export function createTurnstile(options: CaptchaServiceOptions): CaptchaVerifier {
  return over(options, {
    url: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    tokenOf: ({ turnstile_token }) => turnstile_token,
    question: (token, ip) => ({ body: { secret: options.secret, response: token, remoteip: ip } }),
    verdict: ({ success, "error-codes": codes }) => verdictOf(success, codes),
  });
}

/** https://docs.hcaptcha.com/#verify-the-user-response-server-side */
export function createHcaptcha(options: CaptchaServiceOptions & { siteKey: string | null }): CaptchaVerifier {
  const { secret, siteKey } = options;
  return over(options, {
    url: "https://api.hcaptcha.com/siteverify",
    tokenOf: ({ hcaptcha_token }) => hcaptcha_token,
    question: (token, ip) => ({
      body: new URLSearchParams({
        secret,
        response: token,
        remoteip: ip,
        ...(siteKey === null ? {} : { sitekey: siteKey }),
      }),
    }),
    verdict: ({ success, "error-codes": codes }) => verdictOf(success, codes),
  });
}

/** Its second check (sverify): 1100 = it has judged, and riskLevel is PASS or REJECT. */
export function createShumei(options: CaptchaServiceOptions & { region: string }): CaptchaVerifier {
  const hosts: Record<string, string> = {
    CN: "captcha.fengkongcloud.com",
    SG: "captcha-xjp.fengkongcloud.com",
    US: "captcha-fjny.fengkongcloud.com",
    GLOBAL: "captcha-xjp.fengkongcloud.com",
  };
  return over(options, {
    url: `https://${hosts[options.region] ?? hosts["CN"]}/ca/v1/sverify`,
    tokenOf: ({ shumei_verification }) => shumei_verification?.rid ?? null,
    question: (rid, ip) => ({ body: { accessKey: options.secret, rid, data: { rid, ip } } }),
    verdict: ({ code, riskLevel }) => (code === 1100 ? riskLevel === "PASS" : null),
  });
}

/** `missing-input-secret`, `invalid-input-secret` and their like are the operator's to mend. */
function verdictOf(success: unknown, codes: unknown): boolean | null {
  if (success === true) return true;
  const ours =
    Array.isArray(codes) && codes.some((code) => /secret|sitekey|bad-request|internal/u.test(String(code)));
  return ours || success !== false ? null : false;
}

/** Whatever gives no verdict lets nobody through, and is told to the operator. */
function over({ url, log }: CaptchaServiceOptions, service: Service): CaptchaVerifier {
  const address = new URL(url ?? service.url);
  return {
    async passes(answer, ip) {
      const token = service.tokenOf(answer);
      if (token === null || token === "" || token.length > TOKEN_CHARS) return false;
      try {
        const question = service.question(token, ip);
        const said = await askJson({ url: address, ...question, timeoutMs: TIMEOUT_MS });
        const verdict = typeof said === "object" && said !== null ? service.verdict(said as Fields) : null;
        if (verdict !== null) return verdict;
        throw new NoAnswer("it gives no verdict");
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        log.warn({ host: address.host, reason: error.message }, "the captcha service cannot be asked");
        return false;
      }
    },
  };
}
