// The signature that stands for somebody of WeChat whose phone is not known yet (wire-contract.md §8.12): a reload of the tab
// does not lose it. Phones do that when one goes to read the code.
import { LIMITS } from "@plumb/protocol/limits";
import type { Browser } from "../browser.ts";

const STORED_AS = "plumb.wechat";

/** Good as long as the server takes it, in this tab alone. */
export function createKeptSignature({ tabStorage, now }: Pick<Browser, "tabStorage" | "now">) {
  const forget = (): void => tabStorage.remove(STORED_AS);
  return {
    /** Keeps the one that was given; without one gives back what is kept, null where that is nothing any more. */
    take(given: string | null): string | null {
      if (given) {
        tabStorage.set(STORED_AS, `${now() + LIMITS.bindingSignatureLifeSecs * 1000} ${given}`);
        return given;
      }
      const [until, kept] = (tabStorage.get(STORED_AS) ?? "").split(" ");
      if (kept && now() < Number(until)) return kept;
      forget();
      return null;
    },
    forget,
  };
}
