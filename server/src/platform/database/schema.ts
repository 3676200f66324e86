// Every table, typed for Kysely. Times are integer milliseconds, booleans 0/1, JSON is text: alike on both engines.
// Users are the shard key: every table of people's data carries user_id.
import type { Generated } from "kysely";

export interface UsersTable {
  id: string;
  email: string | null;
  mobile: string | null;
  area_code: string | null;
  password_hash: string | null;
  /** Last seq_id given to one of the user's sessions. */
  last_seq_id: number;
  training_allowed: number;
  muted_until: number | null;
  banned_at: number | null;
  under_review: number;
  /** What was answered to the age gate first; both null until then. */
  birth_year: Generated<number | null>;
  /** 1 to 12. */
  birth_month: Generated<number | null>;
  created_at: number;
  /** Since when the address is the account's; null where there is none, and where it is unknown. */
  email_bound_at: Generated<number | null>;
  /** When a code to the address last set a password. */
  email_proved_at: Generated<number | null>;
  mobile_bound_at: Generated<number | null>;
  mobile_proved_at: Generated<number | null>;
  /** "email" or "phone": a code to it has set the password. Null: it came otherwise. */
  password_proved_by: Generated<string | null>;
  /** A phone that its owner has removed, told until then (ms) of another one where there is no address. */
  former_mobile: Generated<string | null>;
  former_mobile_until: Generated<number | null>;
  /** Links to the account's files and exports carry it: they end when it rises. */
  link_generation: Generated<number>;
}

export interface LoginTokensTable {
  token_hash: string;
  user_id: string;
  /** Names the sign-in to its owner: random, and nothing can be done with it without a token. */
  sign_in_id: string;
  /** The browser and system it came from, "" = unknown. */
  client: string;
  /** Where it came from, ISO 3166-1 alpha-2. */
  region: string | null;
  created_at: number;
  last_used_at: number;
  /** Until then (ms) whoever holds the token counts as the account's owner. */
  confirmed_until: Generated<number>;
}

/** Live codes: one for each target, scenario and requester. */
export interface VerificationCodesTable {
  channel: string;
  target: string;
  scenario: string;
  /** A keyed hash of the secret in the requester's cookie. */
  requester: string;
  /** A keyed hash of the network that the code was asked for from. */
  network: string;
  code_hash: string;
  device_id: string | null;
  /** Wrong tries of the requester's browser, and of others of its network. */
  tries: number;
  network_tries: number;
  created_at: number;
  expires_at: number;
}

/** Invitations that were not used, by the hash of each; and the row "first", which stands for the first account. */
export interface InvitationsTable {
  id: string;
  salt: string | null;
  email: string | null;
  created_at: number;
  expires_at: number | null;
}

export interface GuestChallengesTable {
  salt: string;
  challenge: string;
  target_path: string | null;
  expires_at: number;
}

export interface UsedProofsTable {
  signature: string;
  expires_at: number;
}

/** Fixed-window counters of guard/rate-limit.ts. `expires_at` is the window's end. */
export interface RateCountersTable {
  key: string;
  window_start: number;
  count: number;
  expires_at: number;
}

/** Deep-thinking replies counted per Beijing day (`day` as YYYYMMDD). */
export interface ThinkingUsageTable {
  user_id: string;
  day: string;
  used: number;
}

/**
 * Bytes stored of each account, counted by triggers (migrations/0028-stored-bytes.ts): the sum of its rows, on SQLite one. None
 * stands for 0.
 */
export interface StoredBytesTable {
  user_id: string;
  bytes: number;
}

/** The agents that users make for themselves. */
export interface CharactersTable {
  id: string;
  user_id: string;
  name: string;
  greeting: string | null;
  instructions: string;
  avatar_text: string;
  /** `#rrggbb`. */
  avatar_color: string;
  created_at: number;
  updated_at: number;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  seq_id: number;
  agent: string;
  character_id: string | null;
  title: string | null;
  title_type: string;
  version: number;
  current_message_id: number | null;
  /** Last message id given out; ids are never reused. */
  last_message_id: number;
  inserted_at: number;
  updated_at: number;
  deleted_at: number | null;
  /** Since when the user keeps it on top of the list (ms). */
  pinned_at: number | null;
}

export interface MessagesTable {
  session_id: string;
  message_id: number;
  user_id: string;
  parent_id: number | null;
  role: string;
  status: string;
  /** JSON of Fragment[]; of a running reply the state at its start: read-history folds the log over it. */
  fragments: string;
  files: string;
  accumulated_token_usage: number | null;
  thinking_enabled: number;
  search_enabled: number;
  ban_regenerate: number;
  ban_edit: number;
  feedback: string | null;
  /** Of a reply: the id of the model that was chosen for it, "" = the default one. */
  model: Generated<string>;
  inserted_at: number;
  client_stream_id: string | null;
  /** Of a reply: id of the last event of its stream, kept when the log is gone. */
  last_event_id: number;
  /** 1: its reader has stopped the reply, which is INCOMPLETE since. */
  stopped: Generated<number>;
}

/** One row per reply message: what any process needs to go on with it. */
export interface RepliesTable {
  id: Generated<number>;
  user_id: string;
  session_id: string;
  message_id: number;
  request_message_id: number;
  client_stream_id: string | null;
  /** Hash of call, message reference and prompt: tells a repeat from a reuse (wire-contract.md §11.2). */
  fingerprint: string | null;
  agent: string;
  /** The agent's as the reply began with them; null on replies from before they were kept. */
  purpose: string | null;
  instructions: string | null;
  model: string;
  thinking_enabled: number;
  search_enabled: number;
  locale: string;
  /** Beijing day whose thinking quota this reply was counted on; null = not counted. */
  quota_day: string | null;
  /** Producing time of earlier runs, ms. */
  produced_ms: number;
  /** First event id of the current run (1, or where a continue began). */
  run_first_id: number;
  started_at: number;
  /** When `close` was committed; null while running or in the tail. */
  ended_at: number | null;
  /** `ended_at` while the log is still kept; null while running and once the log is forgotten. */
  log_kept_since: number | null;
}

/** Exists while a reply runs or is in its tail. */
export interface ReplyLeaseTable {
  reply: number;
  user_id: string;
  owner: string;
  epoch: number;
  renewed_at: number;
  /** Claims made after a death; a hand-over does not count. */
  attempts: number;
  stop_requested: number;
}

/** What a reply has read of a page it found; kept as long as its log. "" = the page cannot be read. */
export interface SourceTextsTable {
  reply: number;
  cite_index: number;
  text: string;
}

/** One row per reply and group commit; `events` is a JSON array of events without ids, the first being `first_id`. */
export interface StreamLogTable {
  id: Generated<number>;
  reply: number;
  epoch: number;
  first_id: number;
  at: number;
  events: string;
}

/** An upload. Its bytes and its text are objects whose keys are made of the id (features/files/file-keys.ts). */
export interface FilesTable {
  id: string;
  user_id: string;
  name: string;
  /** 0 until all of them have come. */
  bytes: number;
  /** FileStatus, and UPLOADING while the bytes come: such a file is nobody's to see. */
  status: string;
  error_code: Generated<number | null>;
  /** Of its text as a prompt has it, with its name. */
  tokens: Generated<number>;
  text_bytes: Generated<number>;
  /** What the upload's header said; kept for the operator, without effect. */
  thinking_enabled: number;
  inserted_at: number;
  updated_at: number;
  /** Since when a message carries it. */
  attached_at: Generated<number | null>;
  /** Since when it is nobody's to see; the row goes when its bytes are gone. */
  removed_at: Generated<number | null>;
  /** Whose text it is (TextOf in features/files/file-store.ts) where that is all there is; `bytes` are those of the original. 0: uploaded. */
  from_share: Generated<number>;
}

/** Which sessions have messages that carry a file: it is removed with the last of them. */
export interface SessionFilesTable {
  session_id: string;
  file_id: string;
  user_id: string;
}

/** A public link to a snapshot of chosen messages (features/sharing/share-store.ts). */
export interface SharesTable {
  id: string;
  user_id: string;
  session_id: string;
  /** The session's id as readers see it, made up. */
  shown_session_id: string;
  /** The session's at that time; null for none, and once the share is ended. */
  title: string | null;
  /** One that everybody has. */
  agent: string;
  state: string;
  created_at: number;
  /** Since when it is in its state. */
  state_at: number;
}

/** A message as it was when it was shared. The ids are its share's own. */
export interface ShareMessagesTable {
  share_id: string;
  message_id: number;
  user_id: string;
  parent_id: number | null;
  role: string;
  status: string;
  fragments: string;
  /** Ids that readers see. */
  files: string;
  accumulated_token_usage: number;
  thinking_enabled: number;
  search_enabled: number;
  ban_regenerate: number;
  ban_edit: number;
  model: string;
  inserted_at: number;
}

/** A file of a shared message. */
export interface ShareFilesTable {
  share_id: string;
  /** Its id as readers see it, made up. */
  shown_id: string;
  /** Whose text is copied when the share is continued. */
  file_id: string;
  user_id: string;
  name: string;
  bytes: number;
  tokens: number;
}

/** Sessions that are being copied, message by message: their rows come last, together with the end of this one. */
export interface SessionCopiesTable {
  session_id: string;
  user_id: string;
  began_at: number;
}

/** The session that a request to continue a share has made, by the name its sender gave it (features/sharing/known-fork-store.ts). */
export interface ShareForksTable {
  user_id: string;
  share_id: string;
  client_fork_id: string;
  session_id: string;
  expires_at: number;
}

/** Work that outlives the process that began it (platform/jobs/job-store.ts). A subject has one job at a time. */
export interface JobsTable {
  subject: string;
  kind: string;
  user_id: string;
  /** The process that does it; "" = nobody. */
  owner: string;
  epoch: number;
  /** Runs that broke, or died with their process. */
  attempts: number;
  renewed_at: number;
  /** Not before (ms, the database's clock). */
  due_at: number;
  /** What it is expected to cost, as a small whole number; 0 is little, or unknown. */
  weight: Generated<number>;
  /** 1 = it was broken off in a short place: it takes an ordinary one. */
  is_long: Generated<number>;
}

/** Of an account and a kind of jobs: when the last one began, and how long its jobs ran lately (platform/jobs/turn-store.ts). */
export interface JobTurnsTable {
  user_id: string;
  kind: string;
  /** Milliseconds, the database's clock. */
  began_at: number;
  /** As of `used_at`; it drains from then on. */
  used_ms: number;
  used_at: number;
}

/** The last export of a user. Its zip is an object. */
export interface ExportsTable {
  id: string;
  user_id: string;
  /** ExportState of the wire, and FAILED. */
  status: string;
  /** Language of what is written for people. */
  locale: string;
  /** While the zip is kept. */
  object_key: Generated<string | null>;
  bytes: Generated<number>;
  sessions_done: Generated<number>;
  sessions_total: Generated<number>;
  requested_at: number;
  finished_at: Generated<number | null>;
  /** Since when it is nobody's to see; the row goes when its bytes are gone. */
  removed_at: Generated<number | null>;
}

/** The last import of a user (features/imports). Its upload is an object until its end. */
/** The announcement on show: a row or none. `document` is JSON. */
export interface BannerTable {
  place: string;
  document: string;
  set_at: number;
}

export interface ImportsTable {
  id: string;
  user_id: string;
  /** ImportState of the wire, and UPLOADING while its bytes come: such a one is nobody's to see. */
  status: string;
  /** Language of what is written in place of pictures and files. */
  locale: string;
  file_name: string;
  kind: Generated<string | null>;
  sessions_total: Generated<number>;
  /** How many of its conversations, in their order, are dealt with: whoever goes on begins after them. */
  sessions_done: Generated<number>;
  sessions_skipped: Generated<number>;
  /** JSON of SkippedSessions[]. */
  skipped: Generated<string>;
  error: Generated<string | null>;
  /** Of all that was taken in. */
  kept_bytes: Generated<number>;
  /** Conversations at which the reader broke down. */
  breaks: Generated<number>;
  /** The session that is being made, of which nobody sees anything yet. */
  making: Generated<string | null>;
  /** The least `updated_at` of the sessions taken in. */
  oldest_at: Generated<number | null>;
  requested_at: number;
  finished_at: Generated<number | null>;
}

/** What was made of what an import brought: a session, for as long as it is there; a file, for as long as the import runs. */
export interface ImportedTable {
  user_id: string;
  /** A hash of what wrote it and of its id there. */
  source: string;
  target: string;
  /** Null for a session. */
  import_id: string | null;
}

/** Texts of one user that are searched together (features/sessions/history-index-store.ts). */
export interface HistoryBlocksTable {
  id: Generated<number>;
  user_id: string;
  /** Places that it gave to texts, of which long ones take several; and its texts that are still there. */
  given: number;
  live: number;
  /** Times of its texts; those of texts that are gone may be among them. */
  newest_at: number;
  oldest_at: number;
}

/** A message or a title that can be found. On PostgreSQL with its words, which on SQLite stand in history_words. */
export interface HistoryDocsTable {
  id: Generated<number>;
  block: number;
  user_id: string;
  session_id: string;
  /** 0 = the session's title. */
  message_id: number;
  at: number;
}

/** SQLite alone: the words that FTS5 has of a text, without the number of the block. */
export interface HistoryDocWordsTable {
  doc: number;
  words: string;
}

/** SQLite alone: texts that cannot be found any more and whose words are still in the index. */
export interface HistoryGoneTable {
  doc: number;
  block: number;
}

/** Sessions with messages that are not indexed yet: those after `after_id`; 0 = the title neither. */
export interface HistoryWaitingTable {
  session_id: string;
  after_id: number;
}

/** Somebody at a provider, and whose account it is here. */
export interface IdentitiesTable {
  /** Who says so: an OpenID issuer, or `wechat`. */
  issuer: string;
  subject: string;
  provider: "GOOGLE" | "WECHAT";
  user_id: string;
  name: string;
  picture: string | null;
  locale: string | null;
  /** One that the provider has verified. */
  email: string | null;
  /** What the account is used for, as its owner said: names separated by commas. */
  usage: string | null;
  created_at: number;
  used_at: number;
}

/** What a sign-in through a provider has to remember (features/oauth/tickets.ts). */
export interface OauthTicketsTable {
  ticket_hash: string;
  kind: string;
  browser_hash: string;
  /** Sealed with the ticket itself. */
  content: string;
  expires_at: number;
}

/** A slide puzzle that waits to be solved. */
export interface SlideCaptchasTable {
  id_hash: string;
  /** Where the piece belongs, pixels. */
  x: number;
  /** Puzzles solved in a row before this one. */
  solved_before: number;
  device_id: string | null;
  expires_at: number;
}

/** What a solved puzzle gave: good once. */
export interface CaptchaPassesTable {
  rid_hash: string;
  device_id: string | null;
  expires_at: number;
}

export interface Schema {
  slide_captchas: SlideCaptchasTable;
  captcha_passes: CaptchaPassesTable;
  users: UsersTable;
  login_tokens: LoginTokensTable;
  identities: IdentitiesTable;
  oauth_tickets: OauthTicketsTable;
  verification_codes: VerificationCodesTable;
  guest_challenges: GuestChallengesTable;
  invitations: InvitationsTable;
  used_proofs: UsedProofsTable;
  rate_counters: RateCountersTable;
  thinking_usage: ThinkingUsageTable;
  stored_bytes: StoredBytesTable;
  characters: CharactersTable;
  sessions: SessionsTable;
  messages: MessagesTable;
  replies: RepliesTable;
  reply_lease: ReplyLeaseTable;
  stream_log: StreamLogTable;
  files: FilesTable;
  session_files: SessionFilesTable;
  shares: SharesTable;
  share_messages: ShareMessagesTable;
  share_files: ShareFilesTable;
  session_copies: SessionCopiesTable;
  share_forks: ShareForksTable;
  jobs: JobsTable;
  job_turns: JobTurnsTable;
  source_texts: SourceTextsTable;
  exports: ExportsTable;
  banner: BannerTable;
  imports: ImportsTable;
  imported: ImportedTable;
  history_blocks: HistoryBlocksTable;
  history_docs: HistoryDocsTable;
  history_doc_words: HistoryDocWordsTable;
  history_gone: HistoryGoneTable;
  history_waiting: HistoryWaitingTable;
}
