// Judges whether a person asks, by what the page's captcha gave it (wire-contract.md §7, "Captcha fields").

/** The captcha fields of a request. Only the one of the configured mode counts. */
export interface CaptchaAnswer {
  turnstile_token: string | null;
  hcaptcha_token: string | null;
  shumei_verification: { region: string; rid: string } | null;
}

export interface CaptchaVerifier {
  /** Whether the answer holds. It is good once. False also where nobody could judge it. `ip` is the caller's. */
  passes(answer: CaptchaAnswer, ip: string): Promise<boolean>;
}
