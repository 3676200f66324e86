import type { FormResult } from "../../engine/accounts/sign-in-failures.ts";

/**
 * What a form's call gave. A call that rejects, as none should, is told to the error report and said as a network error: a
 * form whose button rests for good without a word is worse than a wrong reason.
 */
export async function resultOf<R>(call: () => Promise<R>): Promise<R | Extract<FormResult, { ok: false }>> {
  try {
    return await call();
  } catch (error) {
    reportError(error);
    return { ok: false, field: null, text: { key: "networkError" } };
  }
}
