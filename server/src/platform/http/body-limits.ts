// What a route takes as a body (wire-contract.md §1.9). All three hold before anything is parsed.
import { LIMITS } from "@plumb/protocol/limits";

export interface BodyLimits {
  bytes: number;
  /** How deep arrays and objects may lie in one another. */
  depth: number;
  /** From the end of the request's headers to the end of its body. */
  ms: number;
}

export const jsonBody: BodyLimits = {
  bytes: LIMITS.jsonBodyBytes,
  depth: LIMITS.jsonDepth,
  ms: LIMITS.bodyMs,
};

/** Of calls that carry a prompt. */
export const promptBody: BodyLimits = { ...jsonBody, bytes: LIMITS.promptBodyBytes };
