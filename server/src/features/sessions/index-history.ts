// What of a session can be found (wire-contract.md §19.5): its title, its prompts and answers. Kept in the transaction that
// writes them. The words of a text are made before it, so that none waits for a long one.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import { drawnCitations } from "@plumb/protocol/rules/linked-citations";
import type { Database, Trx } from "../../platform/database/database.ts";
import { indexWords } from "../../platform/words/index-words.ts";
import { foldPaced, foldShort, isSpacedWord } from "../../platform/words/search-text.ts";
import { shownText } from "../../platform/words/shown-text.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import type { Clock } from "../../ports/clock.ts";
import { addText, forgetWords, type IndexedText, removeTexts, TITLE } from "./history-index-store.ts";
import type { SessionRow } from "./session-store.ts";

/** Of a longer message only so much is searched (UTF-16 units). */
const SEARCHED_UNITS = 200_000;

/** What of a message is searched: what was asked or answered, no thoughts. Marks of citations are no words of an answer. */
export function searchedText(fragments: readonly Fragment[]): string {
  const said = fragments.flatMap((part) => {
    if (isFragment(part, "REQUEST")) return [cut(part.content)];
    return isFragment(part, "RESPONSE") || isFragment(part, "TEMPLATE_RESPONSE")
      ? [withoutMarks(cut(part.content))]
      : [];
  });
  return cut(said.join("\n"));
}

/** Stands where a citation stood until it is known what is beside it: a letter that nobody looks for. */
const MARK = "\uE000";
const marks = new RegExp(` ?${MARK}(?: ?${MARK})*`, "g");

/** What stands around citations, which part words as a blank does. */
function withoutMarks(text: string): string {
  const marked = drawnCitations(text, () => MARK);
  return marked.replace(marks, (found, at: number) => {
    const end = at + found.length;
    const [after = ""] = marked.slice(end, end + 2);
    if (found.startsWith(" ")) return /[\p{L}\p{N}]/u.test(after) ? " " : "";
    const before = [...marked.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
    return isSpacedWord(before) && isSpacedWord(after) ? " " : "";
  });
}

/** The beginning of a text, never cut inside a letter. */
function cut(text: string): string {
  const last = text.charCodeAt(SEARCHED_UNITS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SEARCHED_UNITS - 1 : SEARCHED_UNITS);
}

/** The words by which a text is found, made in short steps. */
export async function wordsOfText(text: string): Promise<string[]> {
  const searched = cut(text);
  const shown = shownText(searched);
  const written = await foldPaced(searched);
  return shown === null ? indexWords(written) : indexWords(written, await foldPaced(shown));
}

/** The words by which a message is found. */
export async function wordsOfMessage(fragments: readonly Fragment[]): Promise<string[]> {
  return wordsOfText(searchedText(fragments));
}

/** Indexes a message under these words, and no more under those it had. */
export async function indexMessage(
  db: Database,
  trx: Trx,
  text: IndexedText,
  words: readonly string[],
): Promise<void> {
  await removeTexts(db, trx, { sessionId: text.sessionId, messageIds: [text.messageId] });
  await addText(db, trx, text, words);
}

const TEXTS_PER_STEP = 20;

/** Takes the words of all texts that are gone out of the index, some at a time. */
export async function forgetAllWords(db: Database, clock: Pick<Clock, "monotonic">): Promise<void> {
  // PostgreSQL has them with the text, and they went with it.
  if (db.engine === "postgres") return;
  await inSmallSteps(clock, TEXTS_PER_STEP, async (count) => (await forgetWords(db, count)) === count);
}

/** The words by which a session is found by its title. */
export async function wordsOfTitle(title: string): Promise<string[]> {
  return indexWords(foldShort(title));
}

/** Indexes a session under the title that it has now. It stands in the order of hits where the session began. */
export async function indexTitle(
  db: Database,
  trx: Trx,
  session: Pick<SessionRow, "id" | "user_id" | "inserted_at">,
  title: string,
): Promise<void> {
  const text = { userId: session.user_id, sessionId: session.id, messageId: TITLE, at: session.inserted_at };
  await indexMessage(db, trx, text, await wordsOfTitle(title));
}
