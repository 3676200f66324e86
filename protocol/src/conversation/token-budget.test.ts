import { describe, expect, it } from "vitest";
import { branchUsage, budgetOf, fitsBudget } from "./token-budget.ts";

describe("budgetOf", () => {
  it.each([
    [false, undefined, 61_440],
    [true, undefined, 43_008],
    [false, 8_192, 8_192],
    [true, 50_000, 43_008],
    [false, 50_000, 50_000],
  ])("[ENG-056] search %s, model context %s: %i tokens", (search, context, budget) => {
    expect(budgetOf(search, context)).toBe(budget);
  });
});

describe("branchUsage", () => {
  it.each([
    [null, 0],
    [{ status: "FINISHED", accumulated_token_usage: 57 } as const, 57],
    [{ status: "WIP", accumulated_token_usage: 0 } as const, 0],
    [{ status: "INCOMPLETE", accumulated_token_usage: null } as const, 0],
  ])("of %o is %i", (leaf, usage) => {
    expect(branchUsage(leaf)).toBe(usage);
  });

  it("[ENG-055] of a reply that went over the context is infinite, so nothing fits any more", () => {
    const branch = branchUsage({ status: "CONTEXT_LENGTH_EXCEEDED", accumulated_token_usage: 5 });
    expect(branch).toBe(Number.POSITIVE_INFINITY);
    expect(fitsBudget({ branch, prompt: 0, files: 0 }, budgetOf(false))).toBe(false);
  });
});

describe("fitsBudget", () => {
  it.each([
    [{ branch: 0, prompt: 0, files: 0 }, true],
    [{ branch: 40, prompt: 30, files: 30 }, true],
    [{ branch: 40, prompt: 30, files: 31 }, false],
    [{ branch: 0, prompt: 101, files: 0 }, false],
  ])("%o within 100: %s", (use, fits) => {
    expect(fitsBudget(use, 100)).toBe(fits);
  });
});
