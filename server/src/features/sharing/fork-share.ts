// A reader's own copy of a share: a new session that comes into sight when all of it is there (wire-contract.md §13.5).
import { randomUUID } from "node:crypto";
import { ForkShareRefusal } from "@plumb/protocol/wire/sharing";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import type { FilesFeature } from "../files/files-feature.ts";
import { attachFiles, findFiles, lockFiles, removeUnsent } from "../files/file-store.ts";
import { storageForFiles } from "../files/upload-checks.ts";
import { requireRoom, type Storage, storageOf } from "../guard/storage-quota.ts";
import { groupsOf } from "../sessions/message-pieces.ts";
import { fileIdsOf } from "../sessions/message-store.ts";
import { insertReply } from "../sessions/reply-store.ts";
import { insertSession, nextSeqId } from "../sessions/session-store.ts";
import { waitForIndex } from "../sessions/waiting-store.ts";
import { findForkedSession, type ForkRequest, insertFork } from "./known-fork-store.ts";
import { beginCopy, copyOutOfShare, dropCopy, endCopy, holdCopy } from "./session-copy-store.ts";
import { isShareId } from "./share-id.ts";
import { listSharedFiles, listSharedHeads, type SharedHead } from "./share-messages-store.ts";
import { requireOpenShare } from "./share-of-reader.ts";
import type { ShareRow } from "./share-store.ts";

export interface ForkDeps extends Pick<Deps, "config" | "db" | "ports"> {
  copyText: FilesFeature["copyText"];
}

interface Forker {
  userId: string;
  locale: string;
}

/** The forker's own files, by the ids that readers of the share see. */
type OwnFiles = ReadonlyMap<string, string>;

interface Wanted {
  shareId: string;
  /** The request's name: a repeat of it makes nothing more. Null of one whose sender gave it none. */
  clientForkId: string | null;
}

/**
 * Returns the id of the new session, or of the one that the same request has made before, also where the share has ended
 * since. Throws a Refusal of ForkShareRefusal: then nothing of it is left that anyone sees.
 */
export async function forkShare(
  deps: ForkDeps,
  forker: Forker,
  { shareId, clientForkId }: Wanted,
): Promise<string> {
  const { config, db, ports } = deps;
  const { userId } = forker;
  const request = clientForkId === null || !isShareId(shareId) ? null : { userId, shareId, clientForkId };
  const known = await findForked(db, request);
  if (known !== undefined) return known;
  const share = await requireOpenShare(db.kysely, shareId);
  const heads = await listSharedHeads(db.kysely, share.id);
  const bytes = heads.reduce((sum, head) => sum + head.bytes, 0);
  const before = await storageOf(db.kysely, config, userId);
  requireRoom(before, bytes, ForkShareRefusal.StorageQuotaExceeded);
  const sessionId = randomUUID();
  const files = new Map<string, string>();
  await beginCopy(db.kysely, { session_id: sessionId, user_id: userId, began_at: ports.clock.now() });
  try {
    if (heads.length === 0) throw new Error(`share ${share.id} has ended since`);
    for await (const [shownId, own] of copyFiles(deps, forker, share)) files.set(shownId, own);
    for (const group of groupsOf(heads)) {
      await ownTurn();
      await db.transaction(async (trx) => {
        await holdCopy(db, trx, sessionId);
        for (const head of group) await copyMessage(trx, { share, head, sessionId, forker, files });
        // Others that are made at the same time count, too.
        await refuseWithoutRoom(deps, trx, userId, before);
      });
    }
    await db.transaction((trx) =>
      makeSession(deps, trx, { share, heads, sessionId, userId, files, request, before }),
    );
    return sessionId;
  } catch (error) {
    await dropCopy(db, sessionId);
    // They would take of the room that the user has for files.
    await removeUnsent(db, { userId, ids: [...files.values()], now: ports.clock.now() });
    // Sent twice at the same time, where the other one was faster.
    const made = await findForked(db, request);
    if (made !== undefined) return made;
    // Where the share has ended meanwhile, that is the reason.
    await requireOpenShare(db.kysely, shareId);
    throw error;
  }
}

/** Throws Refusal 6 where the user's storage is over its quota with what was copied. It tells what there was `before`. */
async function refuseWithoutRoom(
  { config }: Pick<ForkDeps, "config">,
  q: Queryable,
  userId: string,
  before: Storage,
): Promise<void> {
  requireRoom(await storageOf(q, config, userId), 0, ForkShareRefusal.StorageQuotaExceeded, before);
}

async function* copyFiles(
  { config, db, copyText }: ForkDeps,
  { userId }: Forker,
  share: ShareRow,
): AsyncGenerator<[shownId: string, own: string]> {
  const shared = await listSharedFiles(db.kysely, share.id);
  const sources = await findFiles(
    db.kysely,
    share.user_id,
    shared.map((file) => file.file_id),
  );
  const before = await storageForFiles(db.kysely, config, userId);
  const byId = new Map(sources.map((source) => [source.id, source]));
  for (const { shown_id: shownId, file_id: fileId } of shared) {
    const source = byId.get(fileId);
    if (source === undefined) throw new Error(`file ${fileId} of share ${share.id} is gone`);
    yield [shownId, await copyText(source, { userId, before })];
  }
}

async function copyMessage(
  trx: Trx,
  {
    share,
    head,
    sessionId,
    forker,
    files,
  }: {
    share: ShareRow;
    head: SharedHead;
    sessionId: string;
    forker: Forker;
    files: OwnFiles;
  },
): Promise<void> {
  const { userId } = forker;
  const fileIds = fileIdsOf(head).flatMap((id) => files.get(id) ?? []);
  if (!(await copyOutOfShare(trx, share.id, head.message_id, { sessionId, userId, files: fileIds })))
    throw new Error(`message ${head.message_id} of share ${share.id} is gone`);
  if (head.role !== "ASSISTANT" || head.parent_id === null) return;
  // As of a reply that ended long ago: it can be continued, and redone.
  await insertReply(trx, {
    user_id: userId,
    session_id: sessionId,
    message_id: head.message_id,
    request_message_id: head.parent_id,
    client_stream_id: null,
    fingerprint: null,
    agent: share.agent,
    purpose: null,
    instructions: null,
    model: head.model,
    thinking_enabled: head.thinking_enabled,
    search_enabled: head.search_enabled,
    locale: forker.locale,
    quota_day: null,
    produced_ms: 0,
    run_first_id: 1,
    started_at: head.inserted_at,
    ended_at: head.inserted_at,
  });
}

const findForked = async (db: Database, request: ForkRequest | null): Promise<string | undefined> =>
  request === null ? undefined : findForkedSession(db.kysely, request);

/** Throws where the same request has made a session by now. */
async function makeSession(
  deps: ForkDeps,
  trx: Trx,
  {
    share,
    heads,
    sessionId,
    userId,
    files,
    request,
    before,
  }: {
    share: ShareRow;
    heads: readonly SharedHead[];
    sessionId: string;
    userId: string;
    files: OwnFiles;
    request: ForkRequest | null;
    before: Storage;
  },
): Promise<void> {
  const { db, ports } = deps;
  const now = ports.clock.now();
  // First of all: whoever waits for the other one here holds nothing.
  if (request !== null && !(await insertFork(trx, request, { sessionId, now })))
    throw new Error(`another request has made what ${sessionId} would be`);
  const last = heads.at(-1)?.message_id ?? 0;
  await holdCopy(db, trx, sessionId);
  const locked = await lockFiles(db, trx, userId, [...files.values()]);
  if (locked.length < files.size) throw new Error(`files of the copy ${sessionId} are gone`);
  await insertSession(trx, {
    id: sessionId,
    user_id: userId,
    seq_id: await nextSeqId(trx, userId),
    agent: share.agent,
    character_id: null,
    title: share.title,
    title_type: share.title === null ? "WIP" : "SYSTEM",
    version: 1,
    current_message_id: last,
    last_message_id: last,
    inserted_at: now,
    updated_at: now,
    deleted_at: null,
    pinned_at: null,
  });
  // The user's row is held by its seq_id: of forks and uploads at the same time only those end that have room together.
  await refuseWithoutRoom(deps, trx, userId, before);
  await waitForIndex(trx, sessionId);
  await attachFiles(trx, { sessionId, userId, fileIds: [...files.values()], now });
  await endCopy(trx, sessionId);
}
