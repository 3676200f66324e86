import { getMessage, shownBranch } from "@plumb/protocol/conversation/message-tree";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import type { ShownMessage } from "./message-groups.ts";

export const NO_MESSAGES: readonly ShownMessage[] = [];
/** By tree: the store also changes with each key that is typed, and the trees do not. */
const shownOf = new WeakMap<ClientSession["tree"], readonly ShownMessage[]>();
let last = NO_MESSAGES;

/** The messages of the branch on show, oldest first; the same list while they are the same, however they grow. */
export function shownMessages({ tree }: Pick<ClientSession, "tree">): readonly ShownMessage[] {
  const known = shownOf.get(tree);
  if (known !== undefined) return known;
  const ids = shownBranch(tree);
  const isLast =
    ids.length === last.length &&
    last.every(({ id, key }, index) => ids[index] === id && getMessage(tree, id)?.key === key);
  if (!isLast) last = ids.map((id) => ({ id, key: getMessage(tree, id)?.key ?? "" }));
  shownOf.set(tree, last);
  return last;
}
