// What is typed and not sent, kept in the browser for the next load of the page. Only one user's texts are kept.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";

const STORED_AS = "plumb.drafts";

type Texts = Record<string, string>;

interface Kept {
  owner: string;
  texts: Texts;
}

function readKept(json: string | null): Kept | null {
  const parsed = parseJson(json ?? "");
  if (!parsed.ok || !isRecord(parsed.value)) return null;
  const { owner, texts } = parsed.value;
  if (typeof owner !== "string" || !isRecord(texts)) return null;
  const known = Object.entries(texts).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { owner, texts: Object.fromEntries(known) };
}

/** A copy of the texts with this one; an empty one is left away. */
export function withText(texts: Readonly<Texts>, key: string, text: string): Texts {
  const { [key]: _old, ...rest } = texts;
  return text === "" ? rest : { ...rest, [key]: text };
}

export function createKeptDrafts(browser: Browser) {
  /** Whose texts are kept; null while nobody is known to be signed in, and nothing is kept then. */
  let owner: string | null = null;

  /** Read each time: another tab of the same user keeps its texts in the same place. */
  function textsOf(userId: string): Texts {
    const kept = readKept(browser.storage.get(STORED_AS));
    return kept?.owner === userId ? kept.texts : {};
  }

  /** Begins to keep for this user. The texts kept so far, null where they are open already. Those of others go. */
  function open(userId: string): Texts | null {
    if (owner === userId) return null;
    owner = userId;
    const texts = textsOf(userId);
    if (Object.keys(texts).length === 0) browser.storage.remove(STORED_AS);
    return texts;
  }

  function set(key: string, text: string): void {
    if (owner === null) return;
    const texts = withText(textsOf(owner), key, text);
    if (Object.keys(texts).length === 0) browser.storage.remove(STORED_AS);
    else browser.storage.set(STORED_AS, JSON.stringify({ owner, texts } satisfies Kept));
  }

  /** Stops keeping; what is stored stays for its user. */
  function close(): void {
    owner = null;
  }

  /** Removes everything that is stored. */
  function forget(): void {
    owner = null;
    browser.storage.remove(STORED_AS);
  }

  return { open, set, close, forget };
}
