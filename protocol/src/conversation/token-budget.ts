// What still fits on a branch. Units are tokens as the server counts them (wire-contract.md §3.3, §11.2).
import { LIMITS } from "../limits.ts";
import type { Message } from "./message.ts";

/** What a send would put on the branch, in tokens. */
export interface TokenUse {
  /** The branch so far: `branchUsage` of its leaf, 0 for a new chat. */
  branch: number;
  prompt: number;
  files: number;
}

/** The budget of a branch: the product's own, or the model's context where that is smaller. */
export function budgetOf(searchEnabled: boolean, modelContext = Number.POSITIVE_INFINITY): number {
  return Math.min(searchEnabled ? LIMITS.tokenBudgetSearch : LIMITS.tokenBudget, modelContext);
}

/** Tokens of the branch that ends in this message. A branch that exceeded its length has no room left. */
export function branchUsage(leaf: Pick<Message, "status" | "accumulated_token_usage"> | null): number {
  if (leaf?.status === "CONTEXT_LENGTH_EXCEEDED") return Number.POSITIVE_INFINITY;
  return leaf?.accumulated_token_usage ?? 0;
}

/** True while branch, prompt and files together stay within the budget; exactly the budget still fits. */
export function fitsBudget(use: TokenUse, budget: number): boolean {
  return use.branch + use.prompt + use.files <= budget;
}
