// How each captcha of others is shown in a place of ours, by what its script puts into the window.
import { shumeiDomain, type CaptchaMode } from "@plumb/protocol/rules/captcha-services";
import type { CaptchaSettings } from "@plumb/protocol/wire/site";
import type { CaptchaFields } from "../../engine/guard/captcha.ts";

export type WidgetMode = Exclude<CaptchaMode, "none" | "slide">;

interface Shown {
  captcha: CaptchaSettings;
  locale: "zh_CN" | "en_US";
  onPassed(fields: CaptchaFields): void;
  /** `triesAgain`: the widget does so by itself, and nobody need be told. */
  onError(error: unknown, triesAgain?: boolean): void;
}

interface Widget {
  isHere(): boolean;
  /** Gives back the way to begin anew. */
  show(place: HTMLElement, shown: Shown): () => void;
}

/** What Turnstile and hCaptcha share. */
interface RenderApi {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
}

interface ShumeiInstance {
  onSuccess(run: (result: { pass: boolean; rid: string }) => void): void;
  onError(run: (type: string, detail: { code?: number; message?: string }) => void): void;
  reset(): void;
}

type CaptchaWindow = Window & {
  turnstile?: RenderApi;
  hcaptcha?: RenderApi;
  initSMCaptcha?: (options: Record<string, unknown>, run: (instance: ShumeiInstance) => void) => void;
};

const inWindow = (): CaptchaWindow => window as CaptchaWindow;

/** `type`, `code` and `message` of what went wrong, as far as a service tells them. */
class CaptchaError extends Error {
  readonly type: string;
  readonly code: unknown;
  constructor(type: string, code: unknown, message: string) {
    super(message);
    this.type = type;
    this.code = code;
  }
}

/**
 * What Turnstile tries again by itself, as it does by default: a challenge that failed or timed out, by the beginning of its code.
 * Of the others (a wrong key or domain, a browser it does not know) another try changes nothing.
 * https://developers.cloudflare.com/turnstile/troubleshooting/client-side-errors/error-codes/
 */
export const triesAgain = (code: unknown): boolean => /^(?:10[2346]|1106[02]|300|600)/u.test(String(code));

function rendered(name: "turnstile" | "hcaptcha", fieldsOf: (token: string) => CaptchaFields): Widget {
  return {
    isHere: () => inWindow()[name] !== undefined,
    show(place, { captcha, locale, onPassed, onError }) {
      const api = inWindow()[name];
      if (api === undefined) throw new CaptchaError("missing", null, `${name} is not in the window`);
      const id = api.render(place, {
        sitekey: captcha.site_key,
        language: locale === "zh_CN" ? "zh-cn" : "en",
        hl: locale === "zh_CN" ? "zh" : "en",
        callback: (token: string) => onPassed(fieldsOf(token)),
        "error-callback": (code: unknown) =>
          onError(
            new CaptchaError("widget", code, `${name} failed`),
            name === "turnstile" && triesAgain(code),
          ),
      });
      return () => api.reset(id);
    },
  };
}

export const WIDGETS: Record<WidgetMode, Widget> = {
  turnstile: rendered("turnstile", (turnstile_token) => ({ turnstile_token })),
  hcaptcha: rendered("hcaptcha", (hcaptcha_token) => ({ hcaptcha_token })),
  shumei: {
    isHere: () => inWindow().initSMCaptcha !== undefined,
    show(place, { captcha, locale, onPassed, onError }) {
      const init = inWindow().initSMCaptcha;
      if (init === undefined) throw new CaptchaError("missing", null, "Shumei is not in the window");
      let again: () => void = () => {};
      const { region } = captcha;
      init(
        {
          organization: captcha.organization,
          appId: captcha.app_id ?? "default",
          product: "embed",
          mode: "slide",
          width: 300,
          lang: locale === "zh_CN" ? "zh-cn" : "en",
          appendTo: place.id,
          ...(region === "CN" ? {} : { domains: [shumeiDomain(region)] }),
        },
        (instance) => {
          again = () => instance.reset();
          instance.onSuccess(({ pass, rid }) => {
            if (pass) onPassed({ shumei_verification: { region, rid } });
          });
          instance.onError((type, { code, message }) => onError(new CaptchaError(type, code, message ?? "")));
        },
      );
      return () => again();
    },
  },
};
