// The captcha before a code is sent, and before a sign-in elsewhere begins (wire-contract.md §7).
import type { CaptchaMode } from "@plumb/protocol/rules/captcha-services";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Deps } from "../../platform/deps.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { CaptchaAnswer } from "../../ports/captcha-verifier.ts";
import { looksLikePass, spendPass } from "./captcha-passes.ts";

type CaptchaDeps = Pick<Deps, "config" | "db" | "ports">;
type AnswerOfDevice = CaptchaAnswer & { device_id?: string | null };

/** Throws `refusal`, the call's own, unless the answer holds or no captcha is asked for. `ip` is the caller's. */
export async function requireCaptcha(
  deps: CaptchaDeps,
  answer: AnswerOfDevice,
  ip: string,
  refusal: RefusalCode,
): Promise<void> {
  const { mode } = deps.config.captcha;
  if (mode !== "none" && !(await passesCaptcha(deps, mode, answer, ip))) throw new Refusal(refusal);
}

/** Whether the answer holds for this kind of captcha. It is spent. */
export async function passesCaptcha(
  { db, ports }: Pick<CaptchaDeps, "db" | "ports">,
  mode: Exclude<CaptchaMode, "none">,
  answer: AnswerOfDevice,
  ip: string,
): Promise<boolean> {
  if (mode === "slide") {
    const rid = answer.shumei_verification?.rid ?? "";
    // What cannot be one costs no question to the database.
    if (!looksLikePass(rid)) return false;
    const pass = { rid, deviceId: answer.device_id ?? null };
    return spendPass(db.kysely, pass, ports.clock.now());
  }
  return ports.captcha !== null && ports.captcha.passes(answer, ip);
}
