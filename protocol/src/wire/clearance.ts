// The clearance after a bot challenge (wire-contract.md §6.4).
import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { captchaFields } from "./sign-in-fields.ts";

export const ClearanceRefusal = {
  ChallengeFailed: { code: 1, msg: "CHALLENGE_FAILED" },
} as const;

/** The end of a bot challenge: lets this browser through for a day. */
export const clearance = defineCall<{ expire_at: number }>()({
  method: "POST",
  path: "/api/v0/client/clearance",
  auth: "none",
  request: z.object(captchaFields),
});
