// Deltas: patches of the message a reply grows into (wire-contract.md §4.4). Everything is immutable and shares structure.
import type { Message } from "../conversation/message.ts";
import { ProtocolError } from "./protocol-error.ts";
import { type DeltaReader, FRESH_READER } from "./reply-state.ts";
import type { Delta, DeltaOp } from "./stream-event.ts";

/** The path of nearly all deltas of a reply. */
const GROWING_TEXT_PATH = "response/fragments/-1/content";

// Bounds that no reply of this product comes near; a hostile stream must cost neither the stack nor the screen.
const MAX_PATH_LENGTH = 512;
const MAX_BATCH_DEPTH = 8;
const MAX_FRAGMENTS = 10_000;

type Fields = Record<string, unknown>;

/** The reader after a delta: missing `p` and `o` keep their previous values, independently. */
export function nextReader(reader: DeltaReader, delta: Delta): DeltaReader {
  const p = delta.p ?? reader.p;
  const o = delta.o ?? reader.o;
  return p === reader.p && o === reader.o ? reader : { p, o };
}

/** True for a delta that, read by `reader`, replaces the whole message. */
export function isSnapshot(reader: DeltaReader, delta: Delta): boolean {
  return (delta.p ?? reader.p) === "" && (delta.o ?? reader.o) === "SET";
}

/**
 * Applies a delta to the message (null before the first snapshot). The result shares every untouched part.
 * Keys that this version does not know are stored. Throws ProtocolError, having changed nothing, for: anything but a
 * snapshot while there is no message; a path outside the message, with a reserved name or a bad index; an APPEND
 * whose two sides do not fit; a BATCH that is no list of deltas; a result that is no message any more.
 */
export function applyDelta(
  message: Message | null,
  reader: DeltaReader,
  delta: Delta,
): { message: Message; reader: DeltaReader } {
  const next = nextReader(reader, delta);
  const grown = growText(message, next, delta.v);
  if (grown !== null) return { message: grown, reader: next };
  const root = applyExplicit(message === null ? null : { response: message }, next.p, next.o, delta.v, 0);
  return { message: asMessage(root["response"]), reader: next };
}

/** The short cut for an APPEND of text to the last fragment; null when that is not what is asked. */
function growText(message: Message | null, { p, o }: DeltaReader, v: unknown): Message | null {
  if (o !== "APPEND" || p !== GROWING_TEXT_PATH || message === null || typeof v !== "string") return null;
  const last = message.fragments.length - 1;
  const fragment = message.fragments[last];
  if (fragment === undefined || !Object.hasOwn(fragment, "content")) return null;
  const text: unknown = fragment["content"];
  if (typeof text !== "string") return null;
  const fragments = message.fragments.slice();
  fragments[last] = { ...fragment, content: text + v };
  return { ...message, fragments };
}

function applyExplicit(root: Fields | null, p: string, o: DeltaOp, v: unknown, depth: number): Fields {
  if (p === "" && o === "SET") {
    if (!isFields(v) || !Object.hasOwn(v, "response")) throw new ProtocolError("root SET without a response");
    return { response: asMessage(v["response"]) };
  }
  if (root === null) throw new ProtocolError("the first delta is no root SET");
  if (o === "BATCH") return applyBatch(root, p, v, depth);
  const segments = parsePath(p);
  return patch(root, segments, 0, o === "SET" ? () => v : (old) => append(old, v)) as Fields;
}

function applyBatch(root: Fields, path: string, v: unknown, depth: number): Fields {
  if (!Array.isArray(v)) throw new ProtocolError("BATCH without a list of deltas");
  if (depth === MAX_BATCH_DEPTH) throw new ProtocolError("BATCH nested too deeply");
  parsePath(path);
  let reader = FRESH_READER;
  let result = root;
  for (const item of v as unknown[]) {
    if (!isDelta(item)) throw new ProtocolError("BATCH with an item that is no delta");
    reader = nextReader(reader, item);
    const joined = reader.p === "" ? path : `${path}/${reader.p}`;
    result = applyExplicit(result, joined, reader.o, item.v, depth + 1);
  }
  return result;
}

/** True for `{p?: string, o?: op, v: anything}`. */
export function isDelta(value: unknown): value is Delta {
  if (!isFields(value) || !Object.hasOwn(value, "v")) return false;
  const { p, o } = value;
  return (
    (p === undefined || typeof p === "string") &&
    (o === undefined || o === "SET" || o === "APPEND" || o === "BATCH")
  );
}

function parsePath(path: string): string[] {
  if (path.length > MAX_PATH_LENGTH) throw new ProtocolError("path too long");
  const segments = path.split("/");
  if (segments[0] !== "response") throw new ProtocolError(`path outside the response: ${path}`);
  for (const segment of segments) {
    // Refuses __proto__ and constructor, and every method a later reader would expect to be one.
    if (segment === "" || segment === "prototype" || segment in Object.prototype)
      throw new ProtocolError(`bad path: ${path}`);
  }
  return segments;
}

function patch(
  target: unknown,
  segments: readonly string[],
  depth: number,
  change: (old: unknown) => unknown,
): unknown {
  const segment = segments[depth];
  if (segment === undefined) return change(target);
  if (Array.isArray(target)) {
    // Only the fragments of the message count from the end (wire-contract.md §4.4).
    const index = arrayIndex(target.length, segment, depth === 2 && segments[1] === "fragments");
    const copy: unknown[] = target.slice();
    copy[index] = patch(target[index], segments, depth + 1, change);
    return copy;
  }
  if (!isFields(target)) throw new ProtocolError(`no value at ${segments.slice(0, depth).join("/")}`);
  const known = Object.hasOwn(target, segment);
  if (!known && depth < segments.length - 1)
    throw new ProtocolError(`no value at ${segments.slice(0, depth + 1).join("/")}`);
  return { ...target, [segment]: patch(known ? target[segment] : undefined, segments, depth + 1, change) };
}

function arrayIndex(length: number, segment: string, fromEnd: boolean): number {
  if (!/^(?:0|-?[1-9]\d{0,9})$/.test(segment)) throw new ProtocolError(`bad index: ${segment}`);
  const index = Number(segment);
  const place = index < 0 && fromEnd ? index + length : index;
  if (place < 0 || place >= length) throw new ProtocolError(`index ${segment} outside ${length} items`);
  return place;
}

function append(old: unknown, v: unknown): unknown {
  if (typeof old === "string" && typeof v === "string") return old + v;
  if (Array.isArray(old) && Array.isArray(v)) return [...(old as unknown[]), ...(v as unknown[])];
  throw new ProtocolError("APPEND on a value of another type");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks what every reader of a message relies on, so that no delta can leave a message that breaks the page. */
function asMessage(value: unknown): Message {
  if (
    !isFields(value) ||
    !Number.isSafeInteger(value["message_id"]) ||
    !(value["parent_id"] === null || Number.isSafeInteger(value["parent_id"])) ||
    typeof value["role"] !== "string" ||
    typeof value["status"] !== "string"
  )
    throw new ProtocolError("the response is no message");
  const fragments = value["fragments"];
  if (!Array.isArray(fragments) || fragments.length > MAX_FRAGMENTS)
    throw new ProtocolError("the fragments are no list, or too many");
  for (const fragment of fragments as unknown[]) {
    if (!isFields(fragment) || typeof fragment["type"] !== "string" || !Number.isSafeInteger(fragment["id"]))
      throw new ProtocolError("a fragment without id or type");
  }
  return value as unknown as Message;
}
