// The signature that stands for somebody of WeChat whose phone is not known yet (wire-contract.md §8.12): a reload of the tab
// does not lose it. Phones do that when one goes to read the code.
import { LIMITS } from "@plumb/protocol/limits";
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
