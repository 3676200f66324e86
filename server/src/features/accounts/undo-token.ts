// The token of the link that undoes a binding: which one of which account, and until when (wire-contract.md §19.9).
import { LIMITS } from "@plumb/protocol/limits";
import { REMOVABLE_KINDS, type RemovableKind } from "@plumb/protocol/wire/bindings";
import { readSignedText, signText } from "../guard/signed-text.ts";

interface UndoRight {
  userId: string;
  kind: RemovableKind;
  /** Unix ms: another binding of the same kind is not meant. */
  boundAt: number;
  /** Unix ms. */
  expireAt: number;
}

const PURPOSE = "undo binding";

/** Good for 72 hours from the binding on, however late its message is sent. */
export function signUndoToken(
  secretKey: string,
  { userId, kind, boundAt }: Omit<UndoRight, "expireAt">,
): string {
  return signText(secretKey, PURPOSE, [userId, kind, boundAt].join(" "));
}

/** What the token undoes; null for one that we did not sign. Says nothing of the time. */
export function readUndoToken(secretKey: string, token: string): UndoRight | null {
  const text = readSignedText(secretKey, PURPOSE, token);
  if (text === null) return null;
  const [userId = "", name = "", at = ""] = text.split(" ");
  const kind = REMOVABLE_KINDS.find((known) => known === name);
  if (kind === undefined) return null;
  const boundAt = Number(at);
  return { userId, kind, boundAt, expireAt: boundAt + LIMITS.undoBindingLifeSecs * 1000 };
}
