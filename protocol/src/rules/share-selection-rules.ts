// Which messages can be shared, and that they go in pairs: a user message with one reply to it (wire-contract.md §13.1). Pure.
import { canBeShared, type ShareableMessage } from "./can-be-shared.ts";

/** Ids of a user message and of the reply that is shared with it. */
export interface SharePair {
  request: number;
  reply: number;
}

/** The pairs of a shown branch, root first, of which both messages can be shared. All others cannot be chosen. */
export function sharePairs(branch: readonly ShareableMessage[]): SharePair[] {
  return branch.flatMap((reply, index) => {
    const request = branch[index - 1];
    const isPair =
      request?.role === "USER" && reply.role === "ASSISTANT" && reply.parent_id === request.message_id;
    return isPair && canBeShared(request) && canBeShared(reply)
      ? [{ request: request.message_id, reply: reply.message_id }]
      : [];
  });
}

/** The chosen messages after one was ticked or unticked: its pair goes with it. An id of no pair changes nothing. */
export function togglePair(
  chosen: ReadonlySet<number>,
  pairs: readonly SharePair[],
  id: number,
): ReadonlySet<number> {
  const pair = pairs.find(({ request, reply }) => request === id || reply === id);
  if (pair === undefined) return chosen;
  const next = new Set(chosen);
  for (const one of [pair.request, pair.reply]) {
    if (chosen.has(id)) next.delete(one);
    else next.add(one);
  }
  return next;
}

/** All of the pairs, or nothing where all of them are chosen. */
export function toggleAllPairs(
  chosen: ReadonlySet<number>,
  pairs: readonly SharePair[],
): ReadonlySet<number> {
  const all = pairs.flatMap(({ request, reply }) => [request, reply]);
  return all.every((id) => chosen.has(id)) ? new Set() : new Set(all);
}

export type ShareProblem = "cannot-be-shared" | "not-in-pairs" | "duplicate";

/** The first thing that keeps these messages of a session from being shared, in the order of wire-contract.md §13.1; else null. */
export function shareProblem(
  messages: readonly ShareableMessage[],
  ids: readonly number[],
): ShareProblem | null {
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const chosen = [...new Set(ids)].map((id) => byId.get(id));
  const fit = chosen.filter((message) => message !== undefined && canBeShared(message));
  if (fit.length === 0 || fit.length < chosen.length) return "cannot-be-shared";
  const answered = new Set<number>();
  const asked = new Set<number>();
  for (const message of fit as ShareableMessage[]) {
    if (message.role === "USER") asked.add(message.message_id);
    else if (message.parent_id === null || answered.has(message.parent_id)) return "not-in-pairs";
    else answered.add(message.parent_id);
  }
  if (answered.size !== asked.size || ![...answered].every((id) => asked.has(id))) return "not-in-pairs";
  return chosen.length < ids.length ? "duplicate" : null;
}

/** A message as it stands in a share. */
export interface SharedPlace {
  message_id: number;
  parent_id: number | null;
  /** Its id in the session. */
  source: number;
  /** Tokens of its chain from its first message to here. */
  accumulated_token_usage: number;
}

/**
 * The chosen messages numbered from 1 in the order of their ids, each under the nearest chosen one above it. `messages` are
 * those of the whole session in the order of their ids: a parent is older than what hangs under it.
 */
export function shareChains(
  messages: readonly (ShareableMessage & { accumulated_token_usage: number | null })[],
  ids: readonly number[],
): SharedPlace[] {
  const chosen = new Set(ids);
  const usage = new Map<number, number>();
  /** Of every message: the place of the nearest chosen one, itself included. */
  const nearest = new Map<number, SharedPlace | null>();
  const places: SharedPlace[] = [];
  for (const { message_id: source, parent_id: parentId, accumulated_token_usage: used } of messages) {
    usage.set(source, used ?? 0);
    const above = parentId === null ? null : (nearest.get(parentId) ?? null);
    if (!chosen.has(source)) {
      nearest.set(source, above);
      continue;
    }
    const own = Math.max(0, (used ?? 0) - (parentId === null ? 0 : (usage.get(parentId) ?? 0)));
    const place = {
      message_id: places.length + 1,
      parent_id: above?.message_id ?? null,
      source,
      accumulated_token_usage: (above?.accumulated_token_usage ?? 0) + own,
    };
    places.push(place);
    nearest.set(source, place);
  }
  return places;
}
