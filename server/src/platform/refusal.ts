// The errors for an expected "no". error-handler.ts turns them into the envelope.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { GlobalCode } from "@plumb/protocol/wire/global-codes";

/** A business "no": answered with HTTP 200 and the code as `biz_code`. */
export class Refusal extends Error {
  readonly refusal: RefusalCode;
  readonly data: Record<string, unknown> | null;
  /** The violations, for schema errors of stream calls (wire-contract.md §1.4). */
  readonly detail: { loc: string; msg: string }[] | undefined;
  constructor(
    refusal: RefusalCode,
    data: Record<string, unknown> | null = null,
    detail?: { loc: string; msg: string }[],
  ) {
    super(refusal.msg);
    this.name = "Refusal";
    this.refusal = refusal;
    this.data = data;
    this.detail = detail;
  }
}

/**
 * A global "no" (wire-contract.md §18.1): answered with the code's own HTTP status. `retryAfter` is whole seconds.
 * `data` is null but for the mute (`muteData` of the envelope).
 */
export class GlobalRefusal extends Error {
  readonly global: GlobalCode;
  readonly retryAfter: number | undefined;
  readonly data: Record<string, unknown> | null;
  readonly detail: { loc: string; msg: string }[] | undefined;
  constructor(
    global: GlobalCode,
    options: {
      retryAfter?: number;
      data?: Record<string, unknown>;
      detail?: { loc: string; msg: string }[];
    } = {},
  ) {
    super(global.msg);
    this.name = "GlobalRefusal";
    this.global = global;
    this.retryAfter = options.retryAfter;
    this.data = options.data ?? null;
    this.detail = options.detail;
  }
}
