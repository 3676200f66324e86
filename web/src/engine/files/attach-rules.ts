// Is there room for another file? (requirements 1§5). Pure.
import { getMessage, leafOf } from "@plumb/protocol/conversation/message-tree";
import type { ClientMessage } from "../sessions/client-message.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Text } from "../text.ts";
import { withoutUnsent } from "../turns/plan-on-tree.ts";

const NONE: ReadonlySet<string> = new Set();
/** By tree: the store also changes with each key that is typed, and the trees do not. */
const filesOfTree = new WeakMap<ClientSession["tree"], ReadonlySet<string>>();

/** Ids of the files that the stored messages of a session have, on all its branches. */
export function filesOfSession(session: ClientSession | undefined): ReadonlySet<string> {
  if (session === undefined) return NONE;
  const { tree } = session;
  let ids = filesOfTree.get(tree);
  if (ids === undefined) {
    const stored = [...tree.nodes.values()].filter(({ message }) => message.message_id > 0);
    ids = new Set(stored.flatMap(({ message }) => message.files.map(({ id }) => id)));
    filesOfTree.set(tree, ids);
  }
  return ids;
}

/** The last message of the branch that a send would go to. */
export function leafOfBranch(session: ClientSession | undefined): ClientMessage | null {
  if (session === undefined) return null;
  const tree = withoutUnsent(session.tree);
  const leaf = leafOf(tree);
  return (leaf === null ? undefined : getMessage(tree, leaf)) ?? null;
}

export interface AttachInput {
  /** Files of the session and of the draft, and how many there may be. */
  count: number;
  maxFiles: number;
  /** Tokens of the branch and of the draft's files, and the limit they must stay under. */
  tokens: number;
  budget: number;
}

/** Why there is no room for another file; null where there is. */
export function attachBlock({ count, maxFiles, tokens, budget }: AttachInput): Text | null {
  if (count >= maxFiles) return { key: "uploadMax50Files", params: { max: maxFiles } };
  return tokens < budget ? null : { key: "attachNoRoom" };
}
