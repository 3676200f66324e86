// Identifiers of secure random origin.
import { randomBytes } from "node:crypto";

/** 32 lower-case hex digits: trace ids (wire-contract.md §1.3). */
export function newHexId(): string {
  return randomBytes(16).toString("hex");
}
