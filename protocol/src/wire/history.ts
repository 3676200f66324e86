// All that one has said and was told: searched (wire-contract.md §19.5) and deleted (§10.5). The chat page loads none of it.
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { id, maybe, nothing, text, withDefault } from "./fields.ts";
import type { Session } from "./sessions.ts";

export const SearchRefusal = {
  EmptyQuery: { code: 1, msg: "EMPTY_QUERY" },
} as const;

/** A title, a prompt or an answer in which every part of a query stands. `ranges` count code points of `snippet`. */
export interface SearchHit {
  chat_session: Session;
  /** Null: the session's title was found. */
  message_id: number | null;
  role: "USER" | "ASSISTANT" | null;
  snippet: string;
  ranges: [from: number, to: number][];
  inserted_at: number;
}

export interface SearchPage {
  hits: SearchHit[];
  /** A page may have fewer hits than were asked for, or none, and yet go on. */
  next_cursor: string | null;
}

/** Newest first (wire-contract.md §19.5). A query without a word is number 1. */
export const searchSessions = defineCall<SearchPage>()({
  method: "GET",
  path: "/api/v0/chat_session/search",
  request: z.object({
    q: withDefault(text(LIMITS.searchQueryChars), ""),
    count: maybe(z.pipe(id, z.int().check(z.gte(1), z.lte(LIMITS.searchPageMax)))),
    cursor: maybe(z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/, "no cursor of this call"))),
  }),
});

/** Deletes every session of the user, listed or not. */
export const deleteAllSessions = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat_session/delete_all",
  request: nothing,
});
