// A share as its readers see it, written as it is read: never whole in memory, and nothing is stored (wire-contract.md §13.4).
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Message } from "@plumb/protocol/conversation/message";
import { isImageFile } from "@plumb/protocol/rules/upload-rules";
import type { ShareContent } from "@plumb/protocol/wire/sharing";
import type { Database } from "../../platform/database/database.ts";
import { type JsonPiece, LargeJsonAnswer } from "../../platform/http/answers.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { bytePieces, groupsOf, PIECE_BYTES, splitAtFragments } from "../sessions/message-pieces.ts";
import { presentHead, presentMessage } from "../sessions/message-store.ts";
import {
  listSharedFiles,
  listSharedHeads,
  loadShared,
  readSharedBytes,
  type SharedFileRow,
  type SharedHead,
  type SharedMessageRow,
} from "./share-messages-store.ts";
import { requireOpenShare } from "./share-of-reader.ts";
import type { ShareRow } from "./share-store.ts";

type Files = ReadonlyMap<string, FileInfo>;

/** The answer of share/content. */
export async function readShare(
  db: Database,
  share: ShareRow,
  { readerId }: { readerId: string | null },
): Promise<ShareContent | LargeJsonAnswer> {
  const heads = await listSharedHeads(db.kysely, share.id);
  if (heads.length === 0) await refuseEnded(db, share);
  const rows = heads.some((head) => head.files !== "[]") ? await listSharedFiles(db.kysely, share.id) : [];
  const files: Files = new Map(rows.map((row) => [row.shown_id, presentSharedFile(row, share)]));
  const about = {
    share_id: share.id,
    created_at: toSeconds(share.created_at),
    chat_session_id: share.shown_session_id,
    title: share.title ?? "",
    ...(share.user_id === readerId ? ({ own: true } as const) : {}),
  };
  const bytes = heads.reduce((sum, head) => sum + head.bytes, 0);
  if (bytes <= PIECE_BYTES) {
    const ids = heads.map((head) => head.message_id);
    const stored = await loadShared(db.kysely, share.id, ids);
    if (stored.length < ids.length) await refuseEnded(db, share);
    return { ...about, messages: stored.map((row) => presentShared(row, files)) };
  }
  async function* pieces(): AsyncGenerator<JsonPiece> {
    yield `${JSON.stringify(about).slice(0, -1)},"messages":[`;
    let separator = "";
    for await (const message of messagesAsJson(db, heads, files)) {
      yield separator;
      separator = ",";
      yield* message;
    }
    yield "]}";
  }
  return new LargeJsonAnswer(pieces());
}

/** Each message as pieces of its JSON text, its words as they are stored. */
async function* messagesAsJson(
  db: Database,
  heads: readonly SharedHead[],
  files: Files,
): AsyncGenerator<AsyncIterable<JsonPiece> | Iterable<JsonPiece>> {
  for (const group of groupsOf(heads)) {
    const [first] = group;
    if (first === undefined) continue;
    if (first.bytes > PIECE_BYTES) {
      yield largeMessage(db, first, files);
      continue;
    }
    await ownTurn();
    const ids = group.map((head) => head.message_id);
    const rows = await loadShared(db.kysely, first.share_id, ids);
    if (rows.length < ids.length) throw new ShareEnded(first.share_id);
    for (const row of rows) {
      const [before, after] = aroundFragments({ ...row, bytes: 0 }, files);
      yield [before, row.fragments, after];
    }
  }
}

async function* largeMessage(db: Database, head: SharedHead, files: Files): AsyncGenerator<JsonPiece> {
  const [before, after] = aroundFragments(head, files);
  yield before;
  yield* bytePieces(db, head.bytes, async (from, count) => {
    const bytes = await readSharedBytes(db, head, from, count);
    if (bytes === undefined) throw new ShareEnded(head.share_id);
    return bytes;
  });
  yield after;
}

function aroundFragments(head: SharedHead, files: Files): [before: string, after: string] {
  return splitAtFragments(JSON.stringify(presentHead({ ...head, ...notShared }, files)));
}

/** What of a stored message has no place in a share. */
const notShared = { session_id: "", client_stream_id: null, feedback: null, last_event_id: 0, stopped: 0 };

function presentShared(row: SharedMessageRow, files: Files): Message {
  return presentMessage({ ...row, ...notShared }, files);
}

/** A file that has a name and neither bytes nor a preview; its times are the share's. */
function presentSharedFile({ shown_id, name, bytes, tokens }: SharedFileRow, share: ShareRow): FileInfo {
  return {
    id: shown_id,
    file_name: name,
    file_size: bytes,
    status: "SUCCESS",
    error_code: null,
    previewable: false,
    token_usage: tokens,
    inserted_at: toSeconds(share.created_at),
    updated_at: toSeconds(share.created_at),
    from_share: true,
    is_image: isImageFile(name),
    model_kind: "NORMAL",
    audit_result: null,
    signed_path: null,
  };
}

/** It has ended since it was found: throws the reason, as whoever asks now is told it. */
async function refuseEnded(db: Database, { id }: ShareRow): Promise<never> {
  await requireOpenShare(db.kysely, id);
  throw new ShareEnded(id);
}

/** A share ended while it was read: its reader is cut, asks again and is told why. */
class ShareEnded extends Error {
  constructor(shareId: string) {
    super(`share ${shareId} ended while it was read`);
  }
}
