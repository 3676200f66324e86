// How each captcha of others is shown in a place of ours, by what its script puts into the window.
import { shumeiDomain, type CaptchaMode } from "@plumb/protocol/rules/captcha-services";
import type { CaptchaSettings } from "@plumb/protocol/wire/site";
import type { CaptchaFields } from "../../engine/guard/captcha.ts";

export type WidgetMode = Exclude<CaptchaMode, "none" | "slide">;

interface Shown {
  captcha: CaptchaSettings;
  locale: "zh_CN" | "en_US";
  onPassed(fields: CaptchaFields): void;
  onError(error: unknown): void;
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
        "error-callback": (code: unknown) => onError(new CaptchaError("widget", code, `${name} failed`)),
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
