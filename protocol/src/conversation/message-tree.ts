// The branches of a session as an immutable tree. `parent_id` alone makes it (wire-contract.md §3.3).

/** What the tree needs to know of a message. Unsent messages have negative ids, counting down. */
export interface TreeMessage {
  message_id: number;
  parent_id: number | null;
}

/** `currentChildIndex` is the child on show: within `childIds`, 0 when there are none. */
export interface TreeNode<M> {
  message: M;
  childIds: readonly number[];
  currentChildIndex: number;
}

/** `rootIndex` is the root on show: within `rootIds`, 0 when there are none. */
export interface MessageTree<M> {
  nodes: ReadonlyMap<number, TreeNode<M>>;
  rootIds: readonly number[];
  rootIndex: number;
}

/** A tree without messages. */
export function emptyTree<M extends TreeMessage>(): MessageTree<M> {
  return { nodes: new Map(), rootIds: [], rootIndex: 0 };
}

/** Sent messages by id, then unsent ones in the order they were made. */
function bySibling(a: number, b: number): number {
  return a < 0 || b < 0 ? b - a : a - b;
}

/**
 * Builds the tree of a stored session. The shown branch runs through `currentMessageId` and from there down by the
 * last child; with null or an unknown id it is the last child at every level. Messages that hang on no root
 * (parent missing, or in a cycle) are left out; of two with one id the later counts.
 */
export function treeOf<M extends TreeMessage>(
  messages: readonly M[],
  currentMessageId: number | null,
): MessageTree<M> {
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const children = new Map<number | null, number[]>();
  for (const { message_id, parent_id } of byId.values()) {
    const siblings = children.get(parent_id);
    if (siblings) siblings.push(message_id);
    else children.set(parent_id, [message_id]);
  }
  for (const siblings of children.values()) siblings.sort(bySibling);

  const rootIds = children.get(null) ?? [];
  const nodes = new Map<number, TreeNode<M>>();
  const waiting = [...rootIds];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const message = byId.get(id);
    if (message === undefined) continue;
    const childIds = children.get(id) ?? [];
    nodes.set(id, { message, childIds, currentChildIndex: lastIndex(childIds) });
    for (const childId of childIds) waiting.push(childId);
  }
  const tree: MessageTree<M> = { nodes, rootIds, rootIndex: lastIndex(rootIds) };
  return currentMessageId === null ? tree : showMessage(tree, currentMessageId);
}

/**
 * Adds a message and puts it on show. Throws RangeError when the result would be no tree: its id is taken or its
 * parent is missing.
 */
export function insertMessage<M extends TreeMessage>(tree: MessageTree<M>, message: M): MessageTree<M> {
  const id = message.message_id;
  const parentId = message.parent_id;
  if (tree.nodes.has(id)) throw new RangeError(`message ${id} is in the tree already`);
  if (parentId !== null && !tree.nodes.has(parentId))
    throw new RangeError(`parent ${parentId} is not in the tree`);
  const nodes = new Map(tree.nodes);
  nodes.set(id, { message, childIds: [], currentChildIndex: 0 });
  const siblings = [...childIdsOf(tree, parentId), id].sort(bySibling);
  return showMessage(withChildren({ ...tree, nodes }, nodes, parentId, siblings, 0), id);
}

/**
 * Changes one message; an unknown id, or the same message given back, changes nothing. Throws RangeError when
 * `change` gives another id or parent. Copies the map of nodes (some 60 µs at the session limit of 1000 messages,
 * so call it once per frame, not once per token) and shares every other node.
 */
export function updateMessage<M extends TreeMessage>(
  tree: MessageTree<M>,
  id: number,
  change: (message: M) => M,
): MessageTree<M> {
  const node = tree.nodes.get(id);
  if (node === undefined) return tree;
  const message = change(node.message);
  if (message === node.message) return tree;
  if (message.message_id !== id || message.parent_id !== node.message.parent_id)
    throw new RangeError(`update of message ${id} moves it`);
  return { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, message }) };
}

/**
 * Puts `message` in the place of `oldId`: same parent whatever its own `parent_id` says, same position among its
 * siblings, the children now hanging on the new id. So two placeholders can be swapped in either order. An unknown
 * `oldId` changes nothing; throws RangeError when the new id belongs to another message of the tree.
 */
export function replaceMessage<M extends TreeMessage>(
  tree: MessageTree<M>,
  oldId: number,
  message: M,
): MessageTree<M> {
  const node = tree.nodes.get(oldId);
  if (node === undefined) return tree;
  const newId = message.message_id;
  if (newId !== oldId && tree.nodes.has(newId))
    throw new RangeError(`message ${newId} is in the tree already`);
  const parentId = node.message.parent_id;
  const nodes = new Map(tree.nodes);
  nodes.delete(oldId);
  nodes.set(newId, { ...node, message: withParent(message, parentId) });
  for (const childId of node.childIds) {
    const child = nodes.get(childId);
    if (child) nodes.set(childId, { ...child, message: withParent(child.message, newId) });
  }
  const siblings = childIdsOf(tree, parentId).map((id) => (id === oldId ? newId : id));
  return withChildren({ ...tree, nodes }, nodes, parentId, siblings, currentIndexOf(tree, parentId));
}

/** Removes a message and all below it; the sibling that takes its position is shown, or the last one left. */
export function removeMessage<M extends TreeMessage>(tree: MessageTree<M>, id: number): MessageTree<M> {
  const node = tree.nodes.get(id);
  if (node === undefined) return tree;
  const parentId = node.message.parent_id;
  const siblings = childIdsOf(tree, parentId);
  const position = siblings.indexOf(id);
  const shown = currentIndexOf(tree, parentId);
  const rest = siblings.filter((sibling) => sibling !== id);
  const nodes = new Map(tree.nodes);
  const removed = [id];
  for (let next = removed.pop(); next !== undefined; next = removed.pop()) {
    for (const childId of nodes.get(next)?.childIds ?? []) removed.push(childId);
    nodes.delete(next);
  }
  const index = Math.min(position < shown ? shown - 1 : shown, lastIndex(rest));
  return withChildren({ ...tree, nodes }, nodes, parentId, rest, index);
}

/** A message with its siblings in order, and its own index among them; `{ids: [], index: -1}` when unknown. */
export function siblingsOf<M extends TreeMessage>(
  tree: MessageTree<M>,
  id: number,
): { ids: readonly number[]; index: number } {
  const node = tree.nodes.get(id);
  if (node === undefined) return { ids: [], index: -1 };
  const ids = childIdsOf(tree, node.message.parent_id);
  return { ids, index: ids.indexOf(id) };
}

/** Shows this message instead of the sibling now on show; the levels above and below keep their choice. */
export function selectSibling<M extends TreeMessage>(tree: MessageTree<M>, id: number): MessageTree<M> {
  const node = tree.nodes.get(id);
  if (node === undefined) return tree;
  const parentId = node.message.parent_id;
  const ids = childIdsOf(tree, parentId);
  const index = ids.indexOf(id);
  if (index === currentIndexOf(tree, parentId)) return tree;
  const nodes = new Map(tree.nodes);
  return withChildren({ ...tree, nodes }, nodes, parentId, ids, index);
}

/**
 * Shows in `tree` what was on show in `before`: under each message of both trees the child that was chosen there, as
 * far as it is still there. Where it is gone, `tree` keeps its own choice.
 */
export function withChoicesOf<M extends TreeMessage>(
  tree: MessageTree<M>,
  before: MessageTree<M>,
): MessageTree<M> {
  const nodes = new Map(tree.nodes);
  let chosen: MessageTree<M> = { ...tree, nodes };
  const choose = (parentId: number | null, ids: readonly number[], id: number | undefined): void => {
    const index = id === undefined ? -1 : ids.indexOf(id);
    if (index >= 0) chosen = withChildren(chosen, nodes, parentId, ids, index);
  };
  choose(null, tree.rootIds, before.rootIds[before.rootIndex]);
  for (const [id, { childIds }] of tree.nodes) {
    const old = before.nodes.get(id);
    choose(id, childIds, old?.childIds[old.currentChildIndex]);
  }
  return chosen;
}

/** Shows the deepest of these messages that is in the tree; `path` runs from a root downwards. */
export function showDeepest<M extends TreeMessage>(
  tree: MessageTree<M>,
  path: readonly number[],
): MessageTree<M> {
  const deepest = path.findLast((id) => tree.nodes.has(id));
  return deepest === undefined ? tree : showMessage(tree, deepest);
}

/** Ids of the branch on show, from its root to its leaf. */
export function shownBranch<M extends TreeMessage>(tree: MessageTree<M>): number[] {
  const branch: number[] = [];
  let id = tree.rootIds[tree.rootIndex];
  while (id !== undefined) {
    branch.push(id);
    const node = tree.nodes.get(id);
    id = node?.childIds[node.currentChildIndex];
  }
  return branch;
}

/** Ids from the root down to this message; empty when it is unknown. */
export function pathTo<M extends TreeMessage>(tree: MessageTree<M>, id: number): number[] {
  const path: number[] = [];
  let node = tree.nodes.get(id);
  while (node !== undefined) {
    path.push(node.message.message_id);
    const parentId = node.message.parent_id;
    node = parentId === null ? undefined : tree.nodes.get(parentId);
  }
  return path.reverse();
}

/** The last message of the branch on show, null in an empty tree. */
export function leafOf<M extends TreeMessage>(tree: MessageTree<M>): number | null {
  return shownBranch(tree).at(-1) ?? null;
}

/** The message with this id. */
export function getMessage<M extends TreeMessage>(tree: MessageTree<M>, id: number): M | undefined {
  return tree.nodes.get(id)?.message;
}

function lastIndex(ids: readonly number[]): number {
  return Math.max(0, ids.length - 1);
}

function childIdsOf<M>(tree: MessageTree<M>, parentId: number | null): readonly number[] {
  return parentId === null ? tree.rootIds : (tree.nodes.get(parentId)?.childIds ?? []);
}

function currentIndexOf<M>(tree: MessageTree<M>, parentId: number | null): number {
  return parentId === null ? tree.rootIndex : (tree.nodes.get(parentId)?.currentChildIndex ?? 0);
}

function withParent<M extends TreeMessage>(message: M, parentId: number | null): M {
  return message.parent_id === parentId ? message : { ...message, parent_id: parentId };
}

/** Writes one level's children into `nodes`, a map that belongs to the caller alone, or into the roots. */
function withChildren<M>(
  tree: MessageTree<M>,
  nodes: Map<number, TreeNode<M>>,
  parentId: number | null,
  childIds: readonly number[],
  currentChildIndex: number,
): MessageTree<M> {
  if (parentId === null) return { nodes, rootIds: childIds, rootIndex: currentChildIndex };
  const parent = nodes.get(parentId);
  if (parent) nodes.set(parentId, { ...parent, childIds, currentChildIndex });
  return tree;
}

/** Shows a message: every level above it shows the way to it; an unknown id changes nothing. */
export function showMessage<M extends TreeMessage>(tree: MessageTree<M>, id: number): MessageTree<M> {
  let selected = tree;
  let nodes: Map<number, TreeNode<M>> | null = null;
  for (const step of pathTo(tree, id)) {
    const parentId = tree.nodes.get(step)?.message.parent_id ?? null;
    const ids = childIdsOf(tree, parentId);
    const index = ids.indexOf(step);
    if (index === currentIndexOf(tree, parentId)) continue;
    nodes ??= new Map(tree.nodes);
    selected = withChildren({ ...selected, nodes }, nodes, parentId, ids, index);
  }
  return selected;
}
