// The messages above a request, root first: what the model is given.

/** Ids from the root down to `messageId`. Broken or cyclic links end the walk. */
export function branchTo(
  heads: readonly { message_id: number; parent_id: number | null }[],
  messageId: number,
): number[] {
  const parents = new Map(heads.map((head) => [head.message_id, head.parent_id]));
  const path: number[] = [];
  const seen = new Set<number>();
  for (let id: number | null = messageId; id !== null && parents.has(id) && !seen.has(id);) {
    path.push(id);
    seen.add(id);
    id = parents.get(id) ?? null;
  }
  return path.reverse();
}
