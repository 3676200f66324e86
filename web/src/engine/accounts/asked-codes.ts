// What a reload shall not lose of the codes that were asked for in this tab: phones do it when one goes to the mail.
import { LIMITS } from "@plumb/protocol/limits";
import type { Browser } from "../browser.ts";
import { KEPT_ERRAND, KEPT_SIGNATURE } from "../sessions/kept-under.ts";

/** either: where an email or a phone is asked for in one field; own…: what is the account's already, and is not typed. */
export type CodeKind = "sms" | "email" | "either" | "ownEmail" | "ownPhone";

export interface AskedCode {
  /** Whom it was for. */
  target: string;
  /** When another one may follow (unix milliseconds). */
  nextAt: number;
}

type Kept = Partial<Record<CodeKind, AskedCode>>;

const STORED_AS = "plumb.codes";

/** The last code of each kind, until it is good no more; never the code itself. */
export function createAskedCodes({ tabStorage, now }: Pick<Browser, "tabStorage" | "now">) {
  function read(): Kept {
    try {
      return (JSON.parse(tabStorage.get(STORED_AS) ?? "{}") ?? {}) as Kept;
    } catch {
      return {};
    }
  }

  function last(kind: CodeKind): AskedCode | null {
    const asked = read()[kind];
    if (typeof asked?.target !== "string" || typeof asked.nextAt !== "number") return null;
    return now() < asked.nextAt + LIMITS.verificationCodeLifeSecs * 1000 ? asked : null;
  }

  return {
    last,
    keep: (kind: CodeKind, asked: AskedCode) =>
      void tabStorage.set(STORED_AS, JSON.stringify({ ...read(), [kind]: asked })),
    /** With what else of an account is under way in this tab: a phone that is being bound, a sign-in that is to confirm it. */
    forget: () => [STORED_AS, KEPT_SIGNATURE, KEPT_ERRAND].forEach(tabStorage.remove),
  };
}
