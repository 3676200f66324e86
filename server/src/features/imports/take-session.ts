// Takes one conversation in: its messages in pieces that nobody sees before the last, which makes the session of them.
import { createHash, randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import { countTokens } from "../../platform/count-tokens.ts";
import type { Queryable, Trx } from "../../platform/database/database.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { FileRecord, MessageRecord, SessionRecord } from "../../ports/conversation-reader.ts";
import { ImportRefusal } from "@plumb/protocol/wire/imports";
import type { AgentName } from "../agents/find-agent.ts";
import { lockUser } from "../accounts/user-store.ts";
import { attachFiles, type FileRow, findFiles, lockFiles, TextOf } from "../files/file-store.ts";
import { fileAsPrompt } from "../files/prompt-files.ts";
import { requireRoom, storageOf } from "../guard/storage-quota.ts";
import { indexWaitingSession } from "../sessions/index-waiting.ts";
import { insertMessages, type MessageRow } from "../sessions/message-store.ts";
import { PIECE_BYTES } from "../sessions/message-pieces.ts";
import { insertReply } from "../sessions/reply-store.ts";
import { countOtherPinned, findSession, insertSession, nextSeqId } from "../sessions/session-store.ts";
import { waitForIndex } from "../sessions/waiting-store.ts";
import { beginCopy, dropCopy, endCopy, holdCopy } from "../sharing/session-copy-store.ts";
import type { ImportProgress } from "./import-progress.ts";
import { ConversationScreen, type ReadMessage, screenDeps } from "./screen-messages.ts";
import { storeImport, storeTarget, targetOf } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";
import { contentAt } from "./read-records.ts";

/** With their replies they are stored in one task of the event loop, on SQLite. */
const MESSAGES_PER_PIECE = 50;

interface Taking {
  context: ImportsContext;
  job: HeldJob;
  locale: Locale;
  records: FileHandle;
  progress: ImportProgress;
}

interface Waiting {
  message: MessageRecord;
  at: number;
}

/** The session that is being made of one conversation. */
export class SessionTaker {
  readonly #taking: Taking;
  readonly #session: SessionRecord;
  readonly #agent: AgentName;
  readonly #screen: ConversationScreen;
  readonly #id = randomUUID();
  /** Ids of files by what the records name them. */
  readonly #files = new Map<string, { id: string; tokens: number }>();
  /** Tokens from the root to each message. */
  readonly #usage = new Map<number, number>();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #began = false;

  constructor(taking: Taking, session: SessionRecord, agent: AgentName) {
    this.#taking = taking;
    this.#session = session;
    this.#agent = agent;
    this.#screen = new ConversationScreen(screenDeps(taking), session.title);
  }

  /** Makes a file of the caller's own of a text, or takes the one that this import has made of it already. */
  async takeFile(file: FileRecord, at: number): Promise<void> {
    const { context, job, records } = this.#taking;
    const { db } = context;
    const { user_id: userId, subject: importId } = job.row;
    const source = hashOf(`file:${file.ref}`);
    const made = await targetOf(db.kysely, userId, source);
    const [known] = made?.import_id === importId ? await findFiles(db.kysely, userId, [made.target]) : [];
    if (known !== undefined) {
      this.#files.set(file.ref, known);
      return;
    }
    this.#bytes += file.bytes;
    // A text that must not be said is that of no file.
    if (!this.#screen.isOff && !(await this.#screen.mayBeSaid(await contentAt(records, at, file.bytes))))
      return;
    let tokens = file.tokens;
    try {
      const id = await context.storeText(
        {
          textOf: TextOf.User,
          name: file.name,
          bytes: file.size,
          text_bytes: file.bytes,
          text: records.createReadStream({ start: at, end: at + file.bytes - 1, autoClose: false }),
          tokens: async (newId) =>
            (tokens += await countTokens(fileAsPrompt({ id: newId, name: file.name }, ""))),
          also: (trx, newId) => storeTarget(trx, { userId, source, target: newId, importId }),
        },
        userId,
      );
      this.#files.set(file.ref, { id, tokens });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Where FILE_QUOTA_MB alone has no room for it, the conversation comes without this file.
      await this.#refuseWithoutRoom(db.kysely, file.bytes);
    }
  }

  async takeMessage(message: MessageRecord, at: number): Promise<void> {
    const piece = this.#waiting;
    if (
      piece.length > 0 &&
      (piece.length === MESSAGES_PER_PIECE || this.#waitingBytes + message.bytes > PIECE_BYTES)
    )
      await this.#storePiece();
    this.#waiting.push({ message, at });
    this.#waitingBytes += message.bytes;
  }

  /**
   * Brings the session into sight with the last of its messages, and with it how far the import is. It can be searched when
   * this resolves: whoever reads that the import has ended looks for something.
   */
  async end(): Promise<void> {
    const { context, progress, job } = this.#taking;
    const { place, source, updatedAt } = this.#session;
    const rows = await this.#waitingRows();
    await this.#store(
      rows,
      async (trx, files) => {
        progress.took(place, { bytes: this.#bytes, updatedAt });
        await this.#makeSession(trx, files);
        if (this.#began) await endCopy(trx, this.#id);
        const made = { userId: job.row.user_id, source: hashOf(source), target: this.#id, importId: null };
        await storeTarget(trx, made);
        await storeImport(trx, job.row.subject, { ...progress.row, making: null });
      },
      this.#fileIds(),
    );
    const { db, ports } = context;
    await indexWaitingSession(db, ports.clock, { sessionId: this.#id, signal: job.signal });
  }

  /** Gives up what was stored of it. */
  async drop(): Promise<void> {
    if (this.#began) await dropMaking(this.#taking.context, this.#id);
  }

  /** Stores messages of which nobody sees anything yet. */
  async #storePiece(): Promise<void> {
    const { context, job } = this.#taking;
    await this.#store(await this.#waitingRows(), async (trx) => {
      if (this.#began) return;
      const beganAt = context.ports.clock.now();
      await beginCopy(trx, { session_id: this.#id, user_id: job.row.user_id, began_at: beganAt });
      await storeImport(trx, job.row.subject, { making: this.#id });
    });
    this.#began = true;
  }

  async #waitingRows(): Promise<MessageRow[]> {
    const piece = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const read: ReadMessage[] = [];
    for (const { message, at } of piece) {
      read.push({ message, fragments: await contentAt(this.#taking.records, at, message.bytes) });
      this.#bytes += message.bytes;
    }
    return (await this.#screen.screen(read)).map((one) => this.#rowOf(one));
  }

  #fileIds(): string[] {
    return [...this.#files.values()].map(({ id }) => id);
  }

  /** `also` is told those of `fileIds` that are still there, held until the transaction ends. */
  async #store(
    rows: readonly MessageRow[],
    also: (trx: Trx, files: readonly FileRow[]) => Promise<void>,
    fileIds: readonly string[] = [],
  ): Promise<void> {
    const { context, job } = this.#taking;
    const { db } = context;
    await ownTurn();
    job.signal.throwIfAborted();
    // The end of the import waits for the disk, with all that was stored before it.
    await db.unsyncedTransaction(async (trx) => {
      // Sessions that were made before may carry them: whoever deletes or edits those holds the files before the user.
      const files = await lockFiles(db, trx, job.row.user_id, fileIds);
      await lockUser(db, trx, job.row.user_id);
      await job.hold(trx);
      if (this.#began) await holdCopy(db, trx, this.#id);
      await insertMessages(trx, rows);
      await this.#refuseWithoutRoom(trx);
      for (const row of rows) await this.#insertReply(trx, row);
      await also(trx, files);
    });
  }

  /** Throws Refusal 6 of ImportRefusal where the user's storage has no room for `bytes` more: the import ends there. */
  async #refuseWithoutRoom(q: Queryable, bytes = 0): Promise<void> {
    const { context, job } = this.#taking;
    const storage = await storageOf(q, context.config, job.row.user_id);
    requireRoom(storage, bytes, ImportRefusal.StorageQuotaExceeded);
  }

  #rowOf({ message, fragments }: ReadMessage): MessageRow {
    const files = message.files.flatMap((ref) => this.#files.get(ref) ?? []);
    const above = message.parent === null ? 0 : (this.#usage.get(message.parent) ?? 0);
    const usage = above + message.tokens + files.reduce((sum, { tokens }) => sum + tokens, 0);
    this.#usage.set(message.id, usage);
    return {
      session_id: this.#id,
      message_id: message.id,
      user_id: this.#taking.job.row.user_id,
      parent_id: message.parent,
      role: message.role,
      status: message.status,
      fragments,
      files: JSON.stringify(files.map(({ id }) => id)),
      accumulated_token_usage: usage,
      thinking_enabled: message.thinking ? 1 : 0,
      search_enabled: message.search ? 1 : 0,
      ban_regenerate: message.banRegenerate ? 1 : 0,
      ban_edit: message.banEdit ? 1 : 0,
      feedback: message.feedback === null ? null : JSON.stringify(message.feedback),
      model: message.role === "ASSISTANT" ? message.model : "",
      inserted_at: message.insertedAt,
      client_stream_id: null,
      last_event_id: 0,
      stopped: message.stopped ? 1 : 0,
    };
  }

  /** As of a reply that ended long ago: it can be continued, and redone. */
  async #insertReply(trx: Trx, row: MessageRow): Promise<void> {
    if (row.role !== "ASSISTANT" || row.parent_id === null) return;
    await insertReply(trx, {
      user_id: row.user_id,
      session_id: row.session_id,
      message_id: row.message_id,
      request_message_id: row.parent_id,
      client_stream_id: null,
      fingerprint: null,
      agent: this.#agent.agent,
      purpose: null,
      instructions: null,
      model: row.model,
      thinking_enabled: row.thinking_enabled,
      search_enabled: row.search_enabled,
      locale: this.#taking.locale,
      quota_day: null,
      produced_ms: 0,
      run_first_id: 1,
      started_at: row.inserted_at,
      ended_at: row.inserted_at,
    });
  }

  async #makeSession(trx: Trx, files: readonly FileRow[]): Promise<void> {
    const { context, job } = this.#taking;
    const { db, ports } = context;
    const session = this.#session;
    const userId = job.row.user_id;
    const isPinned =
      session.pinned &&
      (await countOtherPinned(db, trx, { id: this.#id, user_id: userId })) < LIMITS.pinnedSessionsMax;
    await insertSession(trx, {
      id: this.#id,
      user_id: userId,
      seq_id: await nextSeqId(trx, userId),
      agent: this.#agent.agent,
      character_id: this.#agent.characterId,
      title: this.#screen.title,
      // Without one it gets one with its next reply.
      title_type: this.#screen.title === null ? "WIP" : session.titleType,
      version: session.version,
      current_message_id: session.current,
      last_message_id: Math.max(...this.#usage.keys()),
      inserted_at: session.insertedAt,
      updated_at: session.updatedAt,
      deleted_at: null,
      pinned_at: isPinned ? ports.clock.now() : null,
    });
    await waitForIndex(trx, this.#id);
    await attachFiles(trx, {
      sessionId: this.#id,
      userId,
      fileIds: files.map(({ id }) => id),
      now: ports.clock.now(),
    });
  }
}

/** True where the user has what this conversation would become. */
export async function isKnown(
  { db }: Pick<ImportsContext, "db">,
  userId: string,
  source: string,
): Promise<boolean> {
  if ((await targetOf(db.kysely, userId, hashOf(source))) !== undefined) return true;
  // An own export of this very account.
  const [, ownId] = /^plumb:(.*)$/u.exec(source) ?? [];
  return ownId !== undefined && (await findSession(db.kysely, userId, ownId))?.deleted_at === null;
}

/** Gives up the session that was being made. */
export async function dropMaking({ db }: Pick<ImportsContext, "db">, making: string | null): Promise<void> {
  if (making !== null) await dropCopy(db, making);
}

function hashOf(source: string): string {
  return createHash("sha256").update(source).digest("base64url");
}
