// What makes sessions of ours of an uploaded export (wire-contract.md §19.6). Adapter: each in a process of its own.
import type { Role, EndStatus, Feedback } from "@plumb/protocol/conversation/message";
import type { CharacterFields } from "@plumb/protocol/rules/character-rules";
import type { ImportError, ImportKind, ImportSkip } from "@plumb/protocol/wire/imports";
import type { TitleType } from "@plumb/protocol/wire/sessions";

export interface UploadToRead {
  /** Absolute path of its bytes, which are read and never changed. The path says nothing about what they are. */
  path: string;
  /** Absolute path where the records go. Nothing is there; its folder is. */
  recordsPath: string;
  /** Conversations at the beginning that are passed over: they are dealt with. */
  after: number;
  /** What wrote it, where that is known already. */
  kind: ImportKind | null;
  /** Language of what is written in place of pictures and files. */
  locale: string;
  /** Messages that a session may have. */
  mostMessages: number;
  /** Bytes that may still be kept of it. */
  keptBytes: number;
  /** Unix ms: what is said to be later is not believed. */
  now: number;
  /** Whether it is worth no more than a try: with two seconds of processor time and little memory. */
  isShort: boolean;
}

/** `records` at `recordsPath` are whole up to where the reading ended. */
export type ReadUpload =
  | { kind: "read" }
  /** Nothing can be made of it, whoever tries. */
  | { kind: "failed"; error: ImportError }
  /** It takes more than a try. */
  | { kind: "long" }
  /** The reader broke down: at the conversation that was begun last, where there is one. */
  | { kind: "broke" };

/**
 * One line of JSON each, in this order: what wrote it, its personas, then of each conversation its `begin` and either its `skip` or its
 * `session`, that session's files, its messages, and its `end`; at last how many there were. A file and a message have
 * `bytes` of UTF-8 behind their line, and a line feed: a text, and the JSON of Fragment[].
 */
export type ImportRecord =
  | { type: "source"; kind: ImportKind }
  | CharacterRecord
  | { type: "begin"; place: number; title: string }
  | { type: "skip"; place: number; title: string; reason: ImportSkip }
  | SessionRecord
  | FileRecord
  | MessageRecord
  | { type: "end"; place: number }
  | { type: "total"; total: number };

/** A persona, fit to be stored. They come anew with every reading. Times are unix ms. */
export interface CharacterRecord {
  type: "character";
  /** What sessions name it by. */
  ref: string;
  fields: CharacterFields;
  createdAt: number;
  updatedAt: number;
}

/** Times are unix ms. */
export interface SessionRecord {
  type: "session";
  /** Which conversation of the upload, from 1. */
  place: number;
  /** Its id where it comes from. */
  source: string;
  agent: string;
  /** `ref` of a CharacterRecord, or of a persona that is not in the upload; null for none. */
  character: string | null;
  title: string | null;
  titleType: TitleType;
  version: number;
  pinned: boolean;
  insertedAt: number;
  updatedAt: number;
  current: number;
  messages: number;
}

export interface FileRecord {
  type: "file";
  /** What messages name it by. */
  ref: string;
  name: string;
  /** Of what was uploaded once; `bytes` are those of its text, which follows. */
  size: number;
  insertedAt: number;
  /** Of the text alone. */
  tokens: number;
  bytes: number;
}

/** Parents come before their children, by increasing ids. */
export interface MessageRecord {
  type: "message";
  id: number;
  parent: number | null;
  role: Role;
  status: EndStatus;
  /** Its reader has stopped it; an INCOMPLETE one. */
  stopped: boolean;
  thinking: boolean;
  search: boolean;
  banRegenerate: boolean;
  banEdit: boolean;
  feedback: Feedback | null;
  model: string;
  insertedAt: number;
  /** `ref`s of FileRecords. */
  files: string[];
  /** Of what would be sent again of this message alone, without its files. */
  tokens: number;
  bytes: number;
}

/**
 * Promises:
 *
 * - **It settles.** `read` ends within bounded time and space whatever the bytes are, also when they are made to harm: such an
 *   upload costs its own call alone. It rejects only with the AbortError of `signal`.
 * - **One conversation harms no other.** What cannot be made of one is a `skip`; where the reader itself breaks down, the
 *   caller asks again after that one.
 * - **What it gives can be stored**: parents before children, replies under prompts, every id given once, texts in UTF-8
 *   without U+0000 or half a surrogate pair, each within LIMITS.importMessageBytes; addresses are of the web.
 * - **The same bytes give the same records**, but for what was passed over.
 */
export interface ConversationReader {
  read(upload: UploadToRead, signal: AbortSignal): Promise<ReadUpload>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
