// The captcha before a code is sent, and before a sign-in elsewhere begins (wire-contract.md §7).
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Deps } from "../../platform/deps.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { CaptchaAnswer } from "../../ports/captcha-verifier.ts";
import { spendPass } from "./captcha-passes.ts";

type CaptchaDeps = Pick<Deps, "config" | "db" | "ports">;
type AnswerOfDevice = CaptchaAnswer & { device_id?: string | null };

/** Throws `refusal`, the call's own, unless the answer holds or no captcha is asked for. `ip` is the caller's. */
export async function requireCaptcha(
  deps: CaptchaDeps,
  answer: AnswerOfDevice,
  ip: string,
  refusal: RefusalCode,
): Promise<void> {
  if (!(await passesCaptcha(deps, answer, ip))) throw new Refusal(refusal);
}

/** Whether the answer holds, or none is asked for. It is spent. */
async function passesCaptcha(
  { config, db, ports }: CaptchaDeps,
  answer: AnswerOfDevice,
  ip: string,
): Promise<boolean> {
  if (config.captcha.mode === "slide") {
    const pass = { rid: answer.shumei_verification?.rid ?? "", deviceId: answer.device_id ?? null };
    return spendPass(db.kysely, pass, ports.clock.now());
  }
  return ports.captcha === null || ports.captcha.passes(answer, ip);
}
