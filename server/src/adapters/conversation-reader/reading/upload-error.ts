import type { UploadProblem } from "../reading-status.ts";
import type { ImportSkip } from "@plumb/protocol/wire/imports";

/** Of the whole upload nothing can be made. */
export class UploadError extends Error {
  readonly problem: UploadProblem;

  constructor(problem: UploadProblem, why: string) {
    super(why);
    this.problem = problem;
  }
}

/** Nothing can be made of this conversation; the others are read on. */
export class ConversationError extends Error {
  readonly reason: ImportSkip;

  constructor(reason: ImportSkip, why: string) {
    super(why);
    this.reason = reason;
  }
}
