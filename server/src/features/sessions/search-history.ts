// A search of one's history (wire-contract.md §19.5): the user's blocks are asked for texts in their order of time, and each
// text is read to see whether it answers. What one call may cost is bounded; the next one goes on where it stopped.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { SearchHit, SearchPage } from "@plumb/protocol/wire/history";
import type { Database } from "../../platform/database/database.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { toSeconds } from "../../platform/seconds.ts";
import {
  answersQuery,
  type SearchQuery,
  type Snippet,
  snippetOf,
} from "../../platform/words/search-query.ts";
import { foldPaced } from "../../platform/words/search-text.ts";
import { shownText } from "../../platform/words/shown-text.ts";
import {
  blocksOf,
  type FoundMessage,
  type FoundText,
  loadFound,
  loadSessions,
  MESSAGE_BYTES,
  type Place,
  textsInBlock,
} from "./history-search-store.ts";
import { TITLE } from "./history-index-store.ts";
import { searchedText } from "./index-history.ts";
import type { RunningSearch } from "./running-searches.ts";
import { presentSession, type SessionRow } from "./session-store.ts";

/** Blocks that one call asks. */
const MAX_QUESTIONS = 200;
/** Texts that one call reads, and how much of them (UTF-16 units), give or take one. */
const MAX_TEXTS = 200;
const MAX_UNITS = 2_000_000;
/** So many units of what is stored with a text, such as thoughts, cost as much as one that is searched. */
const STORED_PER_UNIT = 8;
/** Texts that a block is asked for at a time, and that are read together. */
const TEXTS_AT_A_TIME = 25;
/** So many are read alone. */
const LARGE_BYTES = 128 * 1024;

export interface SearchAsked {
  userId: string;
  query: SearchQuery;
  count: number;
  cursor: string | null;
  running: RunningSearch;
}

/**
 * One page of hits, the newest first. It may have fewer than `count` and yet a cursor, where that would cost too much, or where
 * its user asks for others.
 */
export async function searchHistory(db: Database, asked: SearchAsked): Promise<SearchPage> {
  const walk = await beginWalk(db, asked);
  const hits: SearchHit[] = [];
  let units = 0;
  for (let texts = 0; texts < MAX_TEXTS && units < MAX_UNITS;) {
    const most = asked.running.isOver ? 1 : TEXTS_AT_A_TIME;
    const found = await walk.next(Math.min(most, Math.max(asked.count - hits.length, 5)));
    for await (const { text, session, message } of readTexts(db, asked.userId, found)) {
      texts += 1;
      const written = message === null ? (session?.title ?? "") : searchedText(fragmentsOf(message));
      units += Math.max(written.length, (message?.fragments.length ?? 0) / STORED_PER_UNIT);
      const hit = session === null ? null : await hitOf(asked.query, written, { session, message });
      walk.pass(text);
      if (hit !== null) hits.push(hit);
      if (hits.length === asked.count || units >= MAX_UNITS || asked.running.isOver)
        return { hits, next_cursor: walk.cursor() };
    }
    if (found.length === 0) break;
  }
  return { hits, next_cursor: walk.cursor() };
}

interface ReadText {
  text: FoundText;
  /** Null: it is gone. */
  session: SessionRow | null;
  /** Null: the title was found, or the message is gone. */
  message: FoundMessage | null;
}

/**
 * Reads the texts in their order: small ones together, a large one when it is asked for, so that no more than one is in
 * memory, however many searches there are.
 */
async function* readTexts(
  db: Database,
  userId: string,
  texts: readonly FoundText[],
): AsyncGenerator<ReadText> {
  const ids = [...new Set(texts.map(({ session_id: id }) => id))];
  const sessions = new Map((await loadSessions(db.kysely, userId, ids)).map((row) => [row.id, row]));
  const wanted = texts.filter((text) => text.message_id !== TITLE && sessions.has(text.session_id));
  await ownTurn();
  const small = await loadFound(db.kysely, wanted, LARGE_BYTES);
  const messages = new Map(small.map((row) => [`${row.session_id} ${row.message_id}`, row]));
  for (const text of texts) {
    let message = messages.get(`${text.session_id} ${text.message_id}`) ?? null;
    if (text.message_id !== TITLE && message === null && sessions.has(text.session_id)) {
      await ownTurn();
      message = (await loadFound(db.kysely, [text], MESSAGE_BYTES))[0] ?? null;
    }
    const isThere = text.message_id === TITLE || message !== null;
    yield { text, session: isThere ? (sessions.get(text.session_id) ?? null) : null, message };
  }
}

function fragmentsOf(message: FoundMessage): Fragment[] {
  return JSON.parse(message.fragments) as Fragment[];
}

/** Null when the text does not answer. */
async function hitOf(
  query: SearchQuery,
  written: string,
  { session, message }: { session: SessionRow; message: FoundMessage | null },
): Promise<SearchHit | null> {
  const snippet =
    (await snippetIn(query, written)) ??
    (await snippetIn(query, message?.role === "ASSISTANT" ? shownText(written) : null));
  if (snippet === null) return null;
  return {
    chat_session: presentSession(session),
    message_id: message?.message_id ?? null,
    role: (message?.role ?? null) as SearchHit["role"],
    ...snippet,
    inserted_at: toSeconds(message?.inserted_at ?? session.inserted_at),
  };
}

async function snippetIn(query: SearchQuery, form: string | null): Promise<Snippet | null> {
  if (form === null) return null;
  const text = await foldPaced(form);
  return answersQuery(query, text) ? snippetOf(query, form, text) : null;
}

/** One block, as far as it was asked. */
interface BlockWalk {
  block: number;
  found: FoundText[];
  /** No text that it was not asked for yet is newer; null when there is none. */
  asked: Place | null;
}

interface Walk {
  /** At most `count` texts that go on in their order; fewer when the call may ask no more, or nothing is left. */
  next(count: number): Promise<FoundText[]>;
  /** The text was looked at. */
  pass(text: FoundText): void;
  /** Where the next call goes on; null at the end. */
  cursor(): string | null;
}

const LATEST: Place = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The blocks of one user side by side: they overlap in time where texts came later than they were said. */
async function beginWalk(db: Database, { userId, query, cursor, running }: SearchAsked): Promise<Walk> {
  let place = cursor === null ? LATEST : placeOf(cursor);
  const blocks = (await blocksOf(db.kysely, userId, place.at)).map((block): BlockWalk => {
    const newest = { at: block.newest_at, id: Number.MAX_SAFE_INTEGER };
    return { block: block.id, found: [], asked: isBehind(newest, place) ? newest : place };
  });
  const start = place;
  let questions = 0;
  const ahead: FoundText[] = [];

  /** The block with the text that comes next, or that may have it. */
  function first(): BlockWalk | undefined {
    let best: BlockWalk | undefined;
    for (const block of blocks) {
      const at = headOf(block);
      if (at === null) continue;
      const bestAt = best === undefined ? null : headOf(best);
      if (bestAt === null || isBehind(bestAt, at)) best = block;
    }
    return best;
  }

  async function one(): Promise<FoundText | null> {
    for (;;) {
      const block = first();
      if (block === undefined) return null;
      const text = block.found.shift();
      if (text !== undefined) return text;
      // Its user asks for others: one that would go on is not over.
      if (running.isOver && questions > 0) return null;
      // Not before the next call would begin elsewhere than this one: many blocks of one time are asked all.
      if (block.asked === null || (questions >= MAX_QUESTIONS && isBehind(block.asked, start))) return null;
      questions += 1;
      await ownTurn();
      const { words } = query;
      const after = block.asked;
      block.found = await textsInBlock(db, {
        userId,
        block: block.block,
        words,
        after,
        count: TEXTS_AT_A_TIME,
      });
      block.asked = block.found.length < TEXTS_AT_A_TIME ? null : (block.found.at(-1) ?? null);
    }
  }

  return {
    async next(count) {
      const texts: FoundText[] = [];
      while (texts.length < count) {
        const text = await one();
        if (text === null) break;
        texts.push(text);
      }
      ahead.push(...texts);
      return texts;
    },
    pass(text) {
      ahead.shift();
      place = text;
    },
    cursor() {
      if (ahead.length > 0) return cursorOf(place);
      const block = first();
      if (block === undefined) return null;
      const head = headOf(block) ?? place;
      // Where texts may still be, but not before what was passed.
      return cursorOf(block.found.length > 0 || isBehind(place, head) ? place : head);
    },
  };
}

/** The newest text that a block may still have. */
function headOf(block: BlockWalk): Place | null {
  return block.found[0] ?? block.asked;
}

/** True when `a` comes later in the order than `b`. */
function isBehind(a: Place, b: Place): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id);
}

function cursorOf({ at, id }: Place): string {
  return `${at}.${id === Number.MAX_SAFE_INTEGER ? 0 : id}`;
}

function placeOf(cursor: string): Place {
  const [at = 0, id = 0] = cursor.split(".").map(Number);
  return { at, id: id === 0 ? Number.MAX_SAFE_INTEGER : id };
}
