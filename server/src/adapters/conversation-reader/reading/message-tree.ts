// The tree of a conversation in the form that sessions have: prompts and replies take turns from the first prompt on. Pure.
import type { Role } from "@plumb/protocol/conversation/message";
import { sourceMessage, type SourceConversation, type SourceMessage } from "./source-conversation.ts";
import { ConversationError } from "./upload-error.ts";

/** One message of the session to be: what follows each other in one role at the source is said at once here. */
export interface TreeMessage {
  /** The source's messages in it, the first one first. */
  of: readonly SourceMessage[];
  parent: TreeMessage | null;
  role: Role;
  /** Never before its parent (unix ms). */
  at: number;
  id: number;
}

const FILLED = "…";

/**
 * The messages by increasing ids, each after its parent, and the one that was shown last. Throws ConversationError where there
 * is nothing, or too much.
 */
export function messageTree(
  conversation: SourceConversation,
  { begun, mostMessages }: { begun: number; mostMessages: number },
): { messages: TreeMessage[]; current: TreeMessage } {
  const kept = withoutEmpty(conversation.messages);
  const found = inTurns(kept, begun, mostMessages);
  if (found.length === 0) throw new ConversationError("EMPTY", "nothing was said");
  const messages = found
    .map((message, order) => ({ message, order }))
    .toSorted((one, other) => one.message.at - other.message.at || one.order - other.order)
    .map(({ message }) => message);
  const ownIds = idsOfSource(found);
  for (const [index, message] of messages.entries()) message.id = ownIds?.get(message) ?? index + 1;
  messages.sort((one, other) => one.id - other.id);
  return { messages, current: currentOf(conversation, messages) };
}

interface Kept {
  message: SourceMessage;
  children: Kept[];
}

/** What was said, below the nearest that was said above it. What leads in a circle has no root, and is none of it. */
function withoutEmpty(messages: readonly SourceMessage[]): Kept[] {
  const byKey = new Map(messages.map((message) => [message.key, message]));
  const below = new Map<string | null, SourceMessage[]>();
  for (const message of byKey.values()) {
    const isOrphan = message.parent === null || !byKey.has(message.parent) || message.parent === message.key;
    const parent = isOrphan ? null : message.parent;
    const list = below.get(parent);
    if (list === undefined) below.set(parent, [message]);
    else list.push(message);
  }
  const roots: Kept[] = [];
  const waiting = [...(below.get(null) ?? [])].reverse().map((message) => ({ message, into: roots }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { message, into } = next;
    const node: Kept = { message, children: [] };
    const isKept = message.mayBeEmpty || message.parts.length > 0 || message.files.length > 0;
    if (isKept) into.push(node);
    for (const child of (below.get(message.key) ?? []).toReversed())
      waiting.push({ message: child, into: isKept ? node.children : into });
  }
  return roots;
}

/** What follows each other in one role, the last one first: beginnings are shared, however long they are. */
interface Run {
  message: SourceMessage;
  before: Run | null;
}

function inOrder(run: Run): SourceMessage[] {
  const messages: SourceMessage[] = [];
  for (let at: Run | null = run; at !== null; at = at.before) messages.push(at.message);
  return messages.reverse();
}

interface Place {
  node: Kept;
  /** The reply that goes on here; null = another role was before. */
  run: Run | null;
  parent: TreeMessage | null;
}

/** In the order in which they are met, parents first. */
function inTurns(roots: readonly Kept[], begun: number, mostMessages: number): TreeMessage[] {
  const found: TreeMessage[] = [];
  const add = (of: SourceMessage[], parent: TreeMessage | null): TreeMessage => {
    const first = of[0];
    const at = Math.max(first?.at ?? parent?.at ?? begun, parent?.at ?? 0);
    const message: TreeMessage = { of, parent, role: first?.role ?? "USER", at, id: 0 };
    found.push(message);
    if (found.length > mostMessages) throw new ConversationError("TOO_MANY_MESSAGES", "too many messages");
    return message;
  };
  const waiting: Place[] = roots.toReversed().map((node) => ({ node, run: null, parent: null }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, run } = next;
    const { message, children } = node;
    let { parent } = next;
    if (message.role === "USER") {
      if (parent?.role === "USER") parent = add([silence(message)], parent);
      const prompt = add([message], parent);
      if (children.length === 0) add([silence(message)], prompt);
      for (const child of children.toReversed()) waiting.push({ node: child, run: null, parent: prompt });
      continue;
    }
    parent ??= add([filled(message)], null);
    const whole: Run = { message, before: run };
    const goesOn = children.filter((child) => child.message.role === "ASSISTANT");
    const answered = children.filter((child) => child.message.role === "USER");
    // Where somebody answered in the middle of a reply that also went on, the part before is a reply of its own.
    const reply = goesOn.length === 0 || answered.length > 0 ? add(inOrder(whole), parent) : null;
    for (const child of answered.toReversed()) waiting.push({ node: child, run: null, parent: reply });
    for (const child of goesOn.toReversed()) waiting.push({ node: child, run: whole, parent });
  }
  return found;
}

/** The reply that never came. */
function silence({ key, at }: SourceMessage): SourceMessage {
  return sourceMessage({
    key: `${key} unanswered`,
    parent: key,
    role: "ASSISTANT",
    at,
    parts: [],
    status: "INCOMPLETE",
    mayBeEmpty: true,
  });
}

/** The prompt of a conversation that began with an answer. */
function filled({ key, at }: SourceMessage): SourceMessage {
  return sourceMessage({
    key: `${key} unasked`,
    parent: null,
    role: "USER",
    at,
    parts: [{ type: "prompt", text: FILLED }],
  });
}

const MOST_ID = 1_000_000;

/** The source's own numbers where they are such as sessions have; null where they are not. */
function idsOfSource(messages: readonly TreeMessage[]): Map<TreeMessage, number> | null {
  const ids = new Map<TreeMessage, number>();
  const given = new Set<number>();
  for (const message of messages) {
    const [only, ...more] = message.of;
    const id = /^\d{1,7}$/u.test(only?.key ?? "") ? Number(only?.key) : 0;
    const parentId = message.parent === null ? 0 : (ids.get(message.parent) ?? MOST_ID);
    if (more.length > 0 || id <= parentId || id > MOST_ID || given.has(id)) return null;
    ids.set(message, id);
    given.add(id);
  }
  return ids;
}

/** The message that has the source's current one; else the last one. */
function currentOf({ current }: SourceConversation, messages: readonly TreeMessage[]): TreeMessage {
  const named = messages.findLast(({ of }) => of.some(({ key }) => key === current));
  const last = messages.at(-1) as TreeMessage;
  if (named === undefined) return last;
  // What is shown ends with a reply.
  return named.role === "ASSISTANT" ? named : (messages.findLast(({ parent }) => parent === named) ?? named);
}
