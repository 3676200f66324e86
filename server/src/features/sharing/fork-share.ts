// A reader's own copy of a share: a new session that comes into sight when all of it is there (wire-contract.md §13.5).
import { randomUUID } from "node:crypto";
import type { Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import type { FilesFeature } from "../files/files-feature.ts";
import { attachFiles, findFiles, lockFiles } from "../files/file-store.ts";
import { groupsOf } from "../sessions/message-pieces.ts";
import { fileIdsOf } from "../sessions/message-store.ts";
import { insertReply } from "../sessions/reply-store.ts";
import { insertSession, nextSeqId } from "../sessions/session-store.ts";
import { waitForIndex } from "../sessions/waiting-store.ts";
import { beginCopy, copyOutOfShare, dropCopy, endCopy, holdCopy } from "./session-copy-store.ts";
import { listSharedFiles, listSharedHeads, type SharedHead } from "./share-messages-store.ts";
import { requireOpenShare } from "./share-of-reader.ts";
import type { ShareRow } from "./share-store.ts";

export interface ForkDeps extends Pick<Deps, "db" | "ports"> {
  copyText: FilesFeature["copyText"];
}

interface Forker {
  userId: string;
  locale: string;
}

/** The forker's own files, by the ids that readers of the share see. */
type OwnFiles = ReadonlyMap<string, string>;

/** Returns the id of the new session. Throws a Refusal of ForkShareRefusal: then nothing of it is left that anyone sees. */
export async function forkShare(deps: ForkDeps, forker: Forker, shareId: string): Promise<string> {
  const { db, ports } = deps;
  const share = await requireOpenShare(db.kysely, shareId);
  const heads = await listSharedHeads(db.kysely, share.id);
  const sessionId = randomUUID();
  const { userId } = forker;
  await beginCopy(db.kysely, { session_id: sessionId, user_id: userId, began_at: ports.clock.now() });
  try {
    const files = await copyFiles(deps, forker, share);
    for (const group of groupsOf(heads)) {
      await ownTurn();
      await db.transaction(async (trx) => {
        await holdCopy(db, trx, sessionId);
        for (const head of group) await copyMessage(trx, { share, head, sessionId, forker, files });
      });
    }
    await db.transaction((trx) => makeSession(deps, trx, { share, heads, sessionId, userId, files }));
    return sessionId;
  } catch (error) {
    await dropCopy(db, sessionId);
    // Where the share has ended meanwhile, that is the reason.
    await requireOpenShare(db.kysely, shareId);
    throw error;
  }
}

async function copyFiles({ db, copyText }: ForkDeps, { userId }: Forker, share: ShareRow): Promise<OwnFiles> {
  const shared = await listSharedFiles(db.kysely, share.id);
  const sources = await findFiles(
    db.kysely,
    share.user_id,
    shared.map((file) => file.file_id),
  );
  const byId = new Map(sources.map((source) => [source.id, source]));
  const own = new Map<string, string>();
  for (const { shown_id: shownId, file_id: fileId } of shared) {
    const source = byId.get(fileId);
    if (source === undefined) throw new Error(`file ${fileId} of share ${share.id} is gone`);
    own.set(shownId, await copyText(source, userId));
  }
  return own;
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

async function makeSession(
  { db, ports }: ForkDeps,
  trx: Trx,
  {
    share,
    heads,
    sessionId,
    userId,
    files,
  }: {
    share: ShareRow;
    heads: readonly SharedHead[];
    sessionId: string;
    userId: string;
    files: OwnFiles;
  },
): Promise<void> {
  const now = ports.clock.now();
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
  await waitForIndex(trx, sessionId);
  await attachFiles(trx, { sessionId, userId, fileIds: [...files.values()], now });
  await endCopy(trx, sessionId);
}
