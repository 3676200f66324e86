// In which order a reader meets the messages of a conversation with branches. Pure.

interface Node {
  message_id: number;
  parent_id: number | null;
}

/** Messages that follow each other; `after` is the one that the first of them answers or continues, null for none. */
export interface Branch {
  after: number | null;
  ids: number[];
}

/**
 * The branch that is shown first, then each other one from where it leaves what came before, by its first message. Every
 * message is in one branch. `current` is the last message of the one shown.
 */
export function branchOrder(nodes: readonly Node[], current: number | null): Branch[] {
  const byId = new Map(nodes.map((node) => [node.message_id, node]));
  const placed = new Set<number>();
  const branches: Branch[] = [];

  const shown: number[] = [];
  for (let node = byId.get(current ?? -1); node !== undefined && !placed.has(node.message_id);) {
    shown.push(node.message_id);
    placed.add(node.message_id);
    node = byId.get(node.parent_id ?? -1);
  }
  if (shown.length > 0) branches.push({ after: null, ids: shown.reverse() });

  const lastChild = new Map<number, number>();
  for (const { message_id: id, parent_id: parent } of nodes) {
    if (parent !== null && !placed.has(id)) lastChild.set(parent, Math.max(id, lastChild.get(parent) ?? 0));
  }
  for (const node of nodes.toSorted((one, other) => one.message_id - other.message_id)) {
    if (placed.has(node.message_id)) continue;
    const ids: number[] = [];
    for (
      let id: number | undefined = node.message_id;
      id !== undefined && !placed.has(id);
      id = lastChild.get(id)
    ) {
      ids.push(id);
      placed.add(id);
    }
    branches.push({ after: node.parent_id, ids });
  }
  return branches;
}

/** Of each message that has versions beside it: which one it is, from 1, and of how many. */
export function versionsOf(nodes: readonly Node[]): Map<number, { version: number; of: number }> {
  const siblings = new Map<number | null, number[]>();
  for (const { message_id: id, parent_id: parent } of nodes) {
    const list = siblings.get(parent);
    if (list === undefined) siblings.set(parent, [id]);
    else list.push(id);
  }
  const versions = new Map<number, { version: number; of: number }>();
  for (const list of siblings.values()) {
    if (list.length === 1) continue;
    for (const [index, id] of list.sort((a, b) => a - b).entries())
      versions.set(id, { version: index + 1, of: list.length });
  }
  return versions;
}
