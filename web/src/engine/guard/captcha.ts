// What stands before a code is sent or Google is asked: the captcha of the installation (wire-contract.md §7). The screen shows
// what is asked for here, and answers.
import { isWidget, type CaptchaMode } from "@plumb/protocol/rules/captcha-services";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { createStore } from "zustand/vanilla";
import type { Text } from "../text.ts";

/** The captcha fields of a request. */
export interface CaptchaFields {
  turnstile_token?: string;
  hcaptcha_token?: string;
  shumei_verification?: { region: string; rid: string };
}

/** `ok: false`: nothing is to be sent. */
export type CaptchaResult = { ok: true; fields: CaptchaFields } | { ok: false; text: Text };

export interface CaptchaState {
  /** What somebody has to pass now; null = nothing. */
  asked: Exclude<CaptchaMode, "none"> | null;
}

/** What people have to pass here; widgets only where the flag or the test lets them (requirements 0§6). */
export function captchaModeOf(settings: ClientSettings | null): CaptchaMode {
  const mode = settings?.captcha.mode ?? "none";
  const enabled = settings?.flags["enableHcaptcha"] === true || settings?.ab_tests["human_check"] === true;
  return isWidget(mode) && !enabled ? "none" : mode;
}

/** What gives a clearance here (wire-contract.md §6.4). */
export function challengeModeOf(settings: ClientSettings | null): CaptchaMode {
  return settings?.captcha.challenge?.provider ?? "none";
}

/** So many failures of a widget that tries again by itself are borne; beyond that it does not come right. */
const BORNE_FAILURES = 3;

export function createCaptcha(modeOf: () => CaptchaMode) {
  const store = createStore<CaptchaState>(() => ({ asked: null }));
  let settle: (result: CaptchaResult) => void = () => {};
  let borne = 0;

  /** Resolves when the captcha is passed, or is not; asking again gives up what was asked before. */
  function pass(): Promise<CaptchaResult> {
    const mode = modeOf();
    if (mode === "none") return Promise.resolve({ ok: true, fields: {} });
    dismiss();
    borne = 0;
    return new Promise((resolve) => {
      settle = (result) => {
        settle = () => {};
        store.setState({ asked: null });
        resolve(result);
      };
      store.setState({ asked: mode });
    });
  }

  /** The person has closed it. */
  function dismiss(): void {
    settle({ ok: false, text: { key: "captchaDismissed" } });
  }

  return {
    store,
    pass,
    dismiss,
    passed: (fields: CaptchaFields): void => settle({ ok: true, fields }),
    /** It failed, which ends it, unless what is shown tries again by itself. */
    failed(triesAgain = false): void {
      borne += 1;
      if (!triesAgain || borne > BORNE_FAILURES) settle({ ok: false, text: { key: "captchaLoadFailed" } });
    },
  };
}
