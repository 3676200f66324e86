// Which deletions take away what people wrote, or what they are called: SQLite's log is emptied soon after one of them.
import type { Schema } from "./schema.ts";

/**
 * Of every table: `told`, its deletions empty the log; `follows`, it has words, and rows of a told table go with its rows
 * or soon after; `none`, it has no words of people.
 */
const tables: Record<keyof Schema, "told" | "follows" | "none"> = {
  users: "told",
  characters: "told",
  messages: "told",
  share_messages: "told",
  share_files: "told",
  files: "told",
  imports: "told",
  history_doc_words: "told",
  // Its keys name addresses.
  rate_counters: "told",
  // With users.
  identities: "follows",
  // The rate counters of the same address go within a day.
  verification_codes: "follows",
  invitations: "follows",
  // With messages.
  sessions: "follows",
  replies: "follows",
  stream_log: "follows",
  source_texts: "follows",
  // With share_messages.
  shares: "follows",
  login_tokens: "none",
  guest_challenges: "none",
  used_proofs: "none",
  thinking_usage: "none",
  stored_bytes: "none",
  reply_lease: "none",
  session_files: "none",
  session_copies: "none",
  share_forks: "none",
  jobs: "none",
  job_turns: "none",
  exports: "none",
  // The operator's words.
  banner: "none",
  imported: "none",
  history_blocks: "none",
  history_docs: "none",
  history_gone: "none",
  history_waiting: "none",
  // Sealed.
  oauth_tickets: "none",
  slide_captchas: "none",
  captcha_passes: "none",
};

const told: ReadonlySet<string> = new Set(
  Object.entries(tables)
    .filter(([, kind]) => kind === "told")
    .map(([table]) => table),
);

const deletion = /^\s*delete\s+from\s+"?(?<table>\w+)/iu;

/** True for a statement that deletes from a table whose deletions empty the log. */
export function deletesWords(sql: string): boolean {
  return told.has(deletion.exec(sql)?.groups?.table ?? "");
}
