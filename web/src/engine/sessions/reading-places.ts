// Where in each chat the user was reading, kept over switching and reload. Nothing is kept for those at the end.
import { shownBranch } from "@plumb/protocol/conversation/message-tree";
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";
import { createSlowWriter } from "../slow-writer.ts";
import { type ClientSession, isStoredSession, shareOfKey } from "./client-session.ts";
import type { SessionStore } from "./session-store.ts";

const STORED_AS = "plumb.places";
const WRITE_EVERY_MS = 500;
/** The chats read longest ago are forgotten first. */
const MOST_PLACES = 50;

export interface ReadingPlace {
  /** The uppermost message in view. */
  messageId: number;
  /** How far its top lies above the upper edge, px; negative below it. */
  above: number;
  /** The uppermost block of the message that begins in view, else the one in view, by its group, and how far its top lies above. */
  block?: { group: number; index: number; above: number } | undefined;
}

/** `lastMessageId`: the greatest id the chat had then; a greater one is a reply not seen. */
type KeptPlace = ReadingPlace & { lastMessageId: number };

function isKeptPlace(value: unknown): value is KeptPlace {
  return (
    isRecord(value) &&
    [value["messageId"], value["above"], value["lastMessageId"]].every(Number.isFinite) &&
    (value["block"] === undefined || isBlockPlace(value["block"]))
  );
}

function isBlockPlace(value: unknown): boolean {
  return isRecord(value) && [value["group"], value["index"], value["above"]].every(Number.isFinite);
}

function readPlaces(json: string | null): Map<string, KeptPlace> {
  const parsed = parseJson(json ?? "");
  if (!parsed.ok || !isRecord(parsed.value)) return new Map();
  const known = Object.entries(parsed.value).filter((entry): entry is [string, KeptPlace] =>
    isKeptPlace(entry[1]),
  );
  return new Map(known);
}

/** The beginning, where somebody else's conversation is read from. */
function startOf(session: ClientSession | undefined): ReadingPlace | null {
  const [first] = session === undefined ? [] : shownBranch(session.tree);
  return first === undefined ? null : { messageId: first, above: -1000 };
}

export function createReadingPlaces(browser: Browser, sessions: SessionStore) {
  let places = readPlaces(browser.storage.get(STORED_AS));
  const writer = createSlowWriter(browser, WRITE_EVERY_MS, () => {
    if (places.size === 0) browser.storage.remove(STORED_AS);
    else browser.storage.set(STORED_AS, JSON.stringify(Object.fromEntries(places)));
  });

  /** Where to go on reading; null: at the end, also when a reply came since. */
  function read(sessionId: string): ReadingPlace | null {
    if (shareOfKey(sessionId) !== null) return startOf(sessions.get(sessionId));
    const place = places.get(sessionId);
    if (place === undefined) return null;
    return (sessions.get(sessionId)?.lastMessageId ?? 0) > place.lastMessageId ? null : place;
  }

  /** Keeps the place; null where the user is at the end. `lastMessageId`: the greatest id that the user knows of. */
  function keep(
    sessionId: string,
    place: ReadingPlace | null,
    lastMessageId = sessions.get(sessionId)?.lastMessageId ?? 0,
  ): void {
    if (!isStoredSession(sessionId)) return;
    if (place === null && !places.has(sessionId)) return;
    places.delete(sessionId);
    if (place !== null) places.set(sessionId, { ...place, lastMessageId });
    if (places.size > MOST_PLACES) places = new Map([...places].slice(-MOST_PLACES));
    writer.changed();
  }

  /** The account leaves. */
  function clear(): void {
    writer.drop();
    places.clear();
    browser.storage.remove(STORED_AS);
  }

  return { read, keep, clear, stop: writer.stop };
}
