// Chats whose names are here, found without the server. Pure.
import type { SearchHit } from "@plumb/protocol/wire/history";
import type { Session } from "@plumb/protocol/wire/sessions";

/** As the server compares: case and width do not matter. Of each character as many come back as it takes, so that places stay. */
function folded(text: string): string[] {
  return [...text].map((character) => character.normalize("NFKC").toLowerCase());
}

/** Where `part` first stands among the characters; null where it doesn't. */
function rangeOf(characters: readonly string[], part: string): [number, number] | null {
  for (let from = 0; from < characters.length; from += 1) {
    let found = "";
    for (let to = from; to < characters.length && found.length < part.length; to += 1) {
      found += characters[to];
      if (found === part) return [from, to + 1];
    }
  }
  return null;
}

/** The hits among these names, in the order given: each has every part of the query, parts being set apart by spaces. */
export function titleMatches(sessions: readonly Session[], query: string): SearchHit[] {
  const parts = query
    .split(/\s+/u)
    .filter((part) => part !== "")
    .map((part) => folded(part).join(""));
  if (parts.length === 0) return [];
  return sessions.flatMap((session) => {
    const title = session.title ?? "";
    const characters = folded(title);
    const ranges = parts.map((part) => rangeOf(characters, part));
    if (ranges.includes(null)) return [];
    return {
      chat_session: session,
      message_id: null,
      role: null,
      snippet: title,
      ranges: ranges.filter((range) => range !== null).toSorted((a, b) => a[0] - b[0]),
      inserted_at: session.updated_at,
    };
  });
}
