// What is typed and not sent, kept in the browser for the next load of the page. Only one user's texts are kept.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";
import { createSlowWriter } from "../slow-writer.ts";
import { KEPT_DRAFTS } from "./kept-under.ts";

/** Of a draft so many characters (UTF-16 units) survive a reload. */
export const KEPT_DRAFT_CHARS = 100_000;
/** Of all drafts together; the ones typed longest ago go first. Browsers give an origin about five million. */
const ALL_DRAFTS_CHARS = 1_000_000;
/** Typing is written at most so often (milliseconds). */
const WRITE_EVERY_MS = 500;

type Texts = Record<string, string>;

/** The request by which a kept text was sent: where the server is asked whether it arrived. */
export interface SentNote {
  sessionId: string;
  clientStreamId: string;
  /** It was given back: it is on its way no more, but may have arrived. */
  isBack?: true;
}

interface Kept {
  owner: string;
  /** The one typed last stands last. */
  texts: Texts;
  /** Of the texts that are on their way, by the same keys. */
  sent: Record<string, SentNote>;
}

function readKept(json: string | null): Kept | null {
  const parsed = parseJson(json ?? "");
  if (!parsed.ok || !isRecord(parsed.value)) return null;
  const { owner, texts, sent } = parsed.value;
  if (typeof owner !== "string" || !isRecord(texts)) return null;
  return {
    owner,
    texts: Object.fromEntries(
      Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
    sent: Object.fromEntries(Object.entries(isRecord(sent) ? sent : {}).filter(isNoteEntry)),
  };
}

function isNoteEntry(entry: [string, unknown]): entry is [string, SentNote] {
  const [, note] = entry;
  return (
    isRecord(note) && typeof note["sessionId"] === "string" && typeof note["clientStreamId"] === "string"
  );
}

/** A copy of the texts with this one as the last; an empty one is left away. */
export function withText(texts: Readonly<Texts>, key: string, text: string): Texts {
  const { [key]: _old, ...rest } = texts;
  return text === "" ? rest : { ...rest, [key]: text };
}

/** The beginning of a text that is kept; a pair of surrogates is not cut in two. */
function keptPart(text: string): string {
  const part = text.slice(0, KEPT_DRAFT_CHARS);
  return part.length < text.length && /[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part;
}

/** The texts typed last, as many as fit. */
function withinBounds(texts: Texts): Texts {
  let room = ALL_DRAFTS_CHARS;
  const fitting = Object.entries(texts)
    .toReversed()
    .filter(([, text]) => (room -= text.length) >= 0);
  return Object.fromEntries(fitting.toReversed());
}

/** `onWritten` hears whether the storage took what was written under these keys. */
export function createKeptDrafts(
  browser: Browser,
  onWritten: (keys: readonly string[], taken: boolean) => void,
) {
  /** Whose texts are kept; null while nobody is known to be signed in, and nothing is kept then. */
  let owner: string | null = null;
  /** Not written yet; null: of this text nothing is on its way any more. */
  const changes = new Map<string, { text: string; sent: SentNote | null }>();
  /** Typed in this tab and not sent: another tab may have put its own text, or none, in the same place since. */
  const typedHere = new Map<string, string>();
  /** Whether the storage took what was written last. */
  let taken = true;
  const writer = createSlowWriter(browser, WRITE_EVERY_MS, write);
  const stopListening = browser.onHidden(keepTypedHere);

  /** Read each time: another tab of the same user keeps its texts in the same place. */
  function keptOf(userId: string): Kept {
    const kept = readKept(browser.storage.get(KEPT_DRAFTS));
    return kept?.owner === userId ? kept : { owner: userId, texts: {}, sent: {} };
  }

  function drop(): void {
    changes.clear();
    writer.drop();
  }

  /** What was typed here outlasts this load, unless what another tab has put there is on its way. */
  function keepTypedHere(): void {
    if (owner === null) return;
    const { texts, sent } = keptOf(owner);
    const own = [...typedHere].filter(([key]) => sent[key] === undefined);
    if (taken && own.every(([key, text]) => texts[key] === keptPart(text))) return;
    // All of them: those typed last stay the last.
    for (const [key, text] of own) changes.set(key, { text, sent: null });
    write();
  }

  /** Writes what is not written yet. */
  function write(): void {
    if (owner === null || changes.size === 0) return;
    let { texts, sent } = keptOf(owner);
    for (const [key, change] of changes) {
      texts = withText(texts, key, keptPart(change.text));
      const { [key]: _old, ...others } = sent;
      sent = change.sent === null ? others : { ...others, [key]: change.sent };
    }
    const keys = [...changes.keys()];
    drop();
    texts = withinBounds(texts);
    taken = true;
    // A message of files alone is on its way without a text.
    if (Object.keys(texts).length + Object.keys(sent).length === 0) browser.storage.remove(KEPT_DRAFTS);
    else taken = browser.storage.set(KEPT_DRAFTS, JSON.stringify({ owner, texts, sent } satisfies Kept));
    onWritten(keys, taken);
  }

  /** Begins to keep for this user. The texts kept so far, null where they are open already. Those of others go. */
  function open(userId: string): Texts | null {
    if (owner === userId) return null;
    owner = userId;
    const { texts, sent } = keptOf(userId);
    if (Object.keys(texts).length + Object.keys(sent).length === 0) browser.storage.remove(KEPT_DRAFTS);
    return texts;
  }

  function noteTyped(key: string, text: string): void {
    typedHere.delete(key);
    if (text !== "") typedHere.set(key, text);
  }

  /** Keeps a text that is typed, or given back; written soon, and at the latest when the page is hidden. */
  function set(key: string, text: string, sent: SentNote | null = null): void {
    if (owner === null) return;
    noteTyped(key, text);
    changes.set(key, { text, sent });
    writer.changed();
  }

  /** As `set`, written now: the text is on its way, or has arrived. `sent`: by which request, null for none. */
  function setNow(key: string, text: string, sent: SentNote | null = null): void {
    if (owner === null) return;
    noteTyped(key, sent === null ? text : "");
    changes.set(key, { text, sent });
    write();
  }

  /** Removes the texts of all keys that begin so. */
  function removeAll(prefix: string): void {
    if (owner === null) return;
    const keys = [...Object.keys(keptOf(owner).texts), ...changes.keys(), ...typedHere.keys()];
    for (const key of keys) if (key.startsWith(prefix)) set(key, "");
  }

  /** The text that is stored under this key, which another tab may have put there; "" for none. */
  function textAt(key: string): string {
    return owner === null ? "" : (keptOf(owner).texts[key] ?? "");
  }

  /** The texts that are stored and not on their way, and that this tab has not typed. */
  function leftByOthers(): Texts {
    if (owner === null) return {};
    const { texts, sent } = keptOf(owner);
    const isOthers = (key: string): boolean =>
      (sent[key]?.isBack ?? sent[key] === undefined) && !typedHere.has(key) && !changes.has(key);
    return Object.fromEntries(Object.entries(texts).filter(([key]) => isOthers(key)));
  }

  /** Whether what is stored under this key is this tab's: typed here, or sent by this request. */
  function isOwn(key: string, clientStreamId: string | null): boolean {
    if (owner === null || typedHere.has(key) || changes.has(key)) return true;
    return clientStreamId !== null && keptOf(owner).sent[key]?.clientStreamId === clientStreamId;
  }

  /** By which request the text under this key was sent; null where it was not, or where it was typed in since. */
  function sentAs(key: string): SentNote | null {
    if (owner === null || changes.has(key)) return null;
    return keptOf(owner).sent[key] ?? null;
  }

  /** Stops keeping; what is stored stays for its user. `write`: also what is not written yet. */
  function close(unwritten: { write: boolean }): void {
    if (unwritten.write) write();
    drop();
    typedHere.clear();
    owner = null;
  }

  /** Removes everything that is stored. */
  function forget(): void {
    drop();
    typedHere.clear();
    owner = null;
    browser.storage.remove(KEPT_DRAFTS);
  }

  function stop(): void {
    writer.stop();
    stopListening();
  }

  return { open, set, setNow, removeAll, leftByOthers, isOwn, sentAs, textAt, close, forget, stop };
}
