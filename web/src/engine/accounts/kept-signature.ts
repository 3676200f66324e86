// The signature that stands for somebody of WeChat whose phone is not known yet, and what they use this for (wire-contract.md
// §8.12): a reload of the tab does not lose them. Phones do that when one goes to read the code.
import { LIMITS } from "@plumb/protocol/limits";
import { USAGES, type Usage } from "@plumb/protocol/wire/oauth";
import type { Browser } from "../browser.ts";
import { KEPT_SIGNATURE } from "../sessions/kept-under.ts";

/**
 * Keeps the signature that was given, in this tab alone and as long as the server takes it; without one gives back what is
 * kept, null where that is nothing any more.
 */
export function takeSignature(
  { tabStorage, now }: Pick<Browser, "tabStorage" | "now">,
  given: string | null,
): string | null {
  if (given) {
    tabStorage.set(KEPT_SIGNATURE, `${now() + LIMITS.bindingSignatureLifeSecs * 1000} ${given}`);
    return given;
  }
  const [until, kept] = (tabStorage.get(KEPT_SIGNATURE) ?? "").split(" ");
  if (kept && now() < Number(until)) return kept;
  tabStorage.remove(KEPT_SIGNATURE);
  return null;
}

/** Keeps what was chosen with the signature, as long as that is kept. */
export function keepUsage({ tabStorage }: Pick<Browser, "tabStorage">, usage: readonly Usage[]): void {
  const [until, signature] = (tabStorage.get(KEPT_SIGNATURE) ?? "").split(" ");
  if (signature) tabStorage.set(KEPT_SIGNATURE, [until, signature, ...usage].join(" "));
}

/** What was chosen with the signature that is kept. */
export function keptUsage({ tabStorage }: Pick<Browser, "tabStorage">): Usage[] {
  const kept = (tabStorage.get(KEPT_SIGNATURE) ?? "").split(" ").slice(2);
  return USAGES.filter((usage) => kept.includes(usage));
}
