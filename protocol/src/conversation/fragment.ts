// The parts a message is made of (wire-contract.md §3.4). Field names are those of the wire: see docs/decisions/0002.

/** One web page found by a search. `published_at` is unix seconds; `cite_index` counts from 1 within the message. */
export interface SearchResult {
  url: string;
  title: string;
  snippet: string;
  cite_index: number | null;
  site_name: string | null;
  site_icon: string | null;
  published_at: number | null;
  query_indexes: number[];
}

export type SearchStatus = "WIP" | "FINISHED" | "FAILED";

export interface SearchQuery {
  query: string;
  status: SearchStatus;
  results: SearchResult[];
}

/** What a user asked; a user message has exactly one, with id 1. */
export interface RequestFragment {
  id: number;
  type: "REQUEST";
  content: string;
}

/** The model's reasoning. `elapsed_secs` is measured by the server and null while the fragment grows. */
export interface ThinkFragment {
  id: number;
  type: "THINK";
  content: string;
  elapsed_secs: number | null;
  stage_id?: number;
  references?: unknown[];
}

/** The answer, as Markdown. */
export interface ResponseFragment {
  id: number;
  type: "RESPONSE";
  content: string;
  stage_id?: number;
  references?: unknown[];
}

/** A fixed text in place of an answer. */
export interface TemplateResponseFragment {
  id: number;
  type: "TEMPLATE_RESPONSE";
  content: string;
}

export type TipCategory = "GENERAL" | "FINANCE" | "LEGAL" | "MEDICAL" | "PROFANITY";

export interface TipFragment {
  id: number;
  type: "TIP";
  content: string;
  style: "INFO" | "WARNING";
  hide_on_wip: boolean;
  category: TipCategory | null;
}

export interface SearchFragment {
  id: number;
  type: "SEARCH";
  status: SearchStatus;
  content: string | null;
  queries: SearchQuery[];
  results: SearchResult[];
  stage_id?: number;
  references?: unknown[];
}

export type KnownFragment =
  | RequestFragment
  | ThinkFragment
  | ResponseFragment
  | TemplateResponseFragment
  | TipFragment
  | SearchFragment;

/** A fragment type this version does not know: kept as it came and shown as unsupported. */
export interface UnknownFragment {
  id: number;
  type: string & {};
  [key: string]: unknown;
}

export type Fragment = KnownFragment | UnknownFragment;

/** Narrows a fragment to a known type: `isFragment(f, "THINK")`. */
export function isFragment<T extends KnownFragment["type"]>(
  fragment: Fragment | undefined,
  type: T,
): fragment is Extract<KnownFragment, { type: T }> {
  return fragment?.type === type;
}
