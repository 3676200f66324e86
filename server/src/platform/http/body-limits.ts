// What a route takes as a body (wire-contract.md §1.9). All hold before anything is parsed.
import { LIMITS } from "@plumb/protocol/limits";
import type { JsonShape } from "@plumb/protocol/wire/json";

export interface BodyLimits extends JsonShape {
  bytes: number;
  /** From the end of the request's headers to the end of its body. */
  ms: number;
}

export const jsonBody: BodyLimits = {
  bytes: LIMITS.jsonBodyBytes,
  depth: LIMITS.jsonDepth,
  // As many as fit.
  values: LIMITS.jsonBodyBytes,
  ms: LIMITS.bodyMs,
};

/** Of calls that carry a prompt. */
export const promptBody: BodyLimits = {
  ...jsonBody,
  bytes: LIMITS.promptBodyBytes,
  values: LIMITS.promptBodyValues,
};

/** A body that its handler takes piece by piece after all checks, so that it is never whole in memory. */
export interface StreamedBody {
  streamed: true;
  bytes: number;
  ms: number;
  /** Time from one piece to the next, while the handler waits for it. */
  idleMs: number;
}

/** Of calls that carry a file. */
export const uploadBody: StreamedBody = {
  streamed: true,
  bytes: LIMITS.fileBytes + LIMITS.uploadExtraBytes,
  ms: LIMITS.uploadMs,
  idleMs: LIMITS.bodyMs,
};
