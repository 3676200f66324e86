// A conversation as its reader found it, whoever wrote it: a tree of what was said, before it has the form of a session.
import type { Fragment, SearchResult } from "@plumb/protocol/conversation/fragment";
import type { EndStatus, Feedback, Role } from "@plumb/protocol/conversation/message";
import type { TitleType } from "@plumb/protocol/wire/sessions";

/** A page that an answer refers to. */
export type SourcePage = Pick<SearchResult, "url" | "title" | "snippet" | "site_name" | "published_at">;

/** Parts of what was said, in their order. A list of pages within an answer is a citation of them. */
export type SourcePart =
  | { type: "prompt"; text: string }
  | { type: "thought"; text: string; secs: number | null }
  | { type: "answer"; text: readonly (string | readonly SourcePage[])[] }
  | { type: "search"; queries: readonly string[]; pages: readonly SourcePage[] }
  /** As it is to be stored, but for its id. */
  | { type: "fragment"; fragment: Fragment };

export interface SourceFile {
  ref: string;
  name: string;
  size: number;
  /** Unix ms. */
  insertedAt: number;
}

/** Keys and parents are the source's own names. Times are unix ms, null where the source says none that can be. */
export interface SourceMessage {
  key: string;
  parent: string | null;
  role: Role;
  at: number | null;
  parts: readonly SourcePart[];
  status: EndStatus;
  stopped: boolean;
  model: string;
  thinking: boolean;
  search: boolean;
  banRegenerate: boolean;
  banEdit: boolean;
  feedback: Feedback | null;
  files: readonly SourceFile[];
  /** It is kept though nothing was said in it. */
  mayBeEmpty: boolean;
}

export interface SourceConversation {
  /** Its id there; null where it has none. */
  id: string | null;
  title: string;
  titleType: TitleType | null;
  agent: string | null;
  character: string | null;
  version: number | null;
  pinned: boolean;
  insertedAt: number | null;
  updatedAt: number | null;
  /** Where its reader was last; null = at what was said last. */
  current: string | null;
  /** In the order of the source. Parents may be missing or lead in a circle. */
  messages: readonly SourceMessage[];
}

/** A conversation of which only this much is known. */
export function sourceConversation(
  known: Pick<SourceConversation, "id" | "title" | "insertedAt" | "updatedAt" | "current" | "messages"> &
    Partial<SourceConversation>,
): SourceConversation {
  return { titleType: null, agent: null, character: null, version: null, pinned: false, ...known };
}

/** A message of which only this much is known. */
export function sourceMessage(
  known: Pick<SourceMessage, "key" | "parent" | "role" | "at" | "parts"> & Partial<SourceMessage>,
): SourceMessage {
  return {
    status: "FINISHED",
    stopped: false,
    model: "",
    thinking: known.parts.some((part) => part.type === "thought"),
    search: known.parts.some((part) => part.type === "search"),
    banRegenerate: false,
    banEdit: false,
    feedback: null,
    files: [],
    mayBeEmpty: false,
    ...known,
  };
}
