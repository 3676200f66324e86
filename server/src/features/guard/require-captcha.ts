// The captcha before a code is sent, and before a sign-in elsewhere begins (wire-contract.md §7).
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Deps } from "../../platform/deps.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { CaptchaAnswer } from "../../ports/captcha-verifier.ts";

/** Throws `refusal`, the call's own, unless the answer holds or no captcha is asked for. `ip` is the caller's. */
export async function requireCaptcha(
  { ports }: Pick<Deps, "ports">,
  answer: CaptchaAnswer,
  ip: string,
  refusal: RefusalCode,
): Promise<void> {
  if (ports.captcha !== null && !(await ports.captcha.passes(answer, ip))) throw new Refusal(refusal);
}
