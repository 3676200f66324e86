// A share is made in small steps: each copies some messages, and nobody sees it before the last (wire-contract.md §13.1).
import { randomUUID } from "node:crypto";
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { LIMITS } from "@plumb/protocol/limits";
import { oneLine } from "@plumb/protocol/rules/one-line";
import { type SharedPlace, shareChains, shareProblem } from "@plumb/protocol/rules/share-selection-rules";
import { questionTitle } from "@plumb/protocol/rules/title-rules";
import { CreateShareRefusal } from "@plumb/protocol/wire/sharing";
import type { Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { Refusal } from "../../platform/refusal.ts";
import { findUser } from "../accounts/user-store.ts";
import { builtInAgent } from "../agents/built-in-agents.ts";
import { newFileId } from "../files/file-keys.ts";
import { filesOfSession } from "../files/file-store.ts";
import { requireRoom, type Storage, storageOf } from "../guard/storage-quota.ts";
import { isBanned } from "../moderation/account-status.ts";
import { requireAllowedText } from "../moderation/require-allowed-text.ts";
import { groupsOf } from "../sessions/message-pieces.ts";
import {
  fileIdsOf,
  findMessage,
  listMessageHeads,
  type MessageHead,
  presentMessage,
} from "../sessions/message-store.ts";
import { requireSession } from "../sessions/session-of-caller.ts";
import { findSession, lockSession, type SessionRow } from "../sessions/session-store.ts";
import { newShareId } from "./share-id.ts";
import { copyIntoShare, insertSharedFiles } from "./share-messages-store.ts";
import { ShareState } from "./share-state.ts";
import { changeState, countShares, deleteShareRows, insertShare, lockShareState } from "./share-store.ts";

/** So many ids in a row are not taken by chance. */
const ID_TRIES = 3;

/** A longer question, as only imports have it, names no share: it would be read whole for its first words. */
const NAMING_BYTES = 1024 * 1024;

const problems = {
  "cannot-be-shared": CreateShareRefusal.SomeMessagesCannotBeShared,
  "not-in-pairs": CreateShareRefusal.MessagesMustBeInPairs,
} as const;

interface Wanted {
  userId: string;
  sessionId: string;
  messageIds: readonly number[];
  /** What its owner calls it; null or unseen: it is called after the first chosen question. */
  title?: string | null;
  /** Draws an id; another one in tests. */
  newId?: () => string;
}

/** A message of the session, its place in the share, and its files as readers see them. */
interface Copy {
  head: MessageHead;
  place: SharedPlace;
  fileIds: readonly string[];
  bytes: number;
}

/** Returns the id of the share. Throws a Refusal of CreateShareRefusal: then nothing of it is left. */
export async function createShare(
  deps: Pick<Deps, "config" | "db" | "ports">,
  wanted: Wanted,
): Promise<string> {
  const { config, db, ports } = deps;
  const { userId, sessionId } = wanted;
  requireSession(await findSession(db.kysely, userId, sessionId));
  const title = oneLine(wanted.title ?? "");
  if (title !== "") await requireAllowedText(deps, title, CreateShareRefusal.ShareTitleViolation);
  const before = await storageOf(db.kysely, config, userId);
  const { id, copies } = await db.transaction((trx) => beginShare(deps, trx, { ...wanted, title }));
  try {
    for (const group of groupsOf(copies)) {
      await ownTurn();
      await db.transaction((trx) => copyGroup(deps, trx, { shareId: id, group, before }));
    }
    await db.transaction(async (trx) => {
      requireSession(await lockSession(db, trx, userId, sessionId));
      const { Making: from, Open: to } = ShareState;
      if (!(await changeState(trx, id, { from, to, now: ports.clock.now() })))
        throw new Error(`share ${id} was given up while it was made`);
    });
    return id;
  } catch (error) {
    await db.transaction((trx) => deleteShareRows(db, trx, [id]));
    throw error;
  }
}

async function beginShare(
  { db, ports }: Pick<Deps, "db" | "ports">,
  trx: Trx,
  { userId, sessionId, messageIds, title, newId = newShareId }: Wanted & { title: string },
): Promise<{ id: string; copies: Copy[] }> {
  const session = requireSession(await lockSession(db, trx, userId, sessionId));
  const owner = await findUser(trx, { id: userId });
  if (owner === undefined) throw new Refusal(CreateShareRefusal.GetAccountInfoFailed);
  if (isBanned(owner)) throw new Refusal(CreateShareRefusal.UserIsBanned);
  const heads = await listMessageHeads(trx, session.id);
  const problem = shareProblem(heads, messageIds);
  if (problem !== null && problem !== "duplicate") throw new Refusal(problems[problem]);
  if ((await countShares(trx, session.id)) >= LIMITS.sharesPerSession)
    throw new Refusal(CreateShareRefusal.TooManySharesForThisSession);
  if (problem === "duplicate") throw new Refusal(CreateShareRefusal.Duplicate);
  const byId = new Map(heads.map((head) => [head.message_id, head]));
  const chosen = shareChains(heads, messageIds).flatMap((place) => {
    const head = byId.get(place.source);
    return head === undefined ? [] : { head, place };
  });
  const id = await insertNew(trx, session, {
    title: title || (await titleOfChosen(trx, chosen)),
    newId,
    now: ports.clock.now(),
  });
  const shownIds = await storeFiles(
    trx,
    id,
    chosen.map(({ head }) => head),
  );
  const copies = chosen.map(({ head, place }) => ({
    head,
    place,
    fileIds: fileIdsOf(head).flatMap((fileId) => shownIds.get(fileId) ?? []),
    bytes: head.bytes,
  }));
  return { id, copies };
}

async function insertNew(
  trx: Trx,
  session: SessionRow,
  { title, newId, now }: { title: string; newId: () => string; now: number },
): Promise<string> {
  for (let tries = 0; tries < ID_TRIES; tries += 1) {
    const id = newId();
    const inserted = await insertShare(trx, {
      id,
      user_id: session.user_id,
      session_id: session.id,
      shown_session_id: randomUUID(),
      title: title === "" ? null : title,
      // A persona is its owner's alone.
      agent: builtInAgent(session.agent) === null ? "chat" : session.agent,
      state: ShareState.Making,
      created_at: now,
      state_at: now,
    });
    if (inserted) return id;
  }
  throw new Refusal(CreateShareRefusal.GenerateUniqueIdFailed);
}

/** The first of the chosen questions names the share: the session's title may tell of what was not chosen. */
async function titleOfChosen(trx: Trx, chosen: readonly Pick<Copy, "head">[]): Promise<string> {
  const first = chosen.find(({ head }) => head.role === "USER")?.head;
  if (first === undefined || first.bytes > NAMING_BYTES) return "";
  const row = await findMessage(trx, first.session_id, first.message_id);
  const asked = row && presentMessage(row).fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  const prompt = isFragment(asked, "REQUEST") ? asked.content : "";
  const fileIds = fileIdsOf(first);
  const files = fileIds.length === 0 ? null : await filesOfSession(trx, first.session_id);
  return questionTitle(
    prompt,
    fileIds.flatMap((id) => files?.get(id)?.name ?? []),
  );
}

/** Keeps what the messages' files are called. Returns the ids that readers see, by the files' own. */
async function storeFiles(
  trx: Trx,
  shareId: string,
  heads: readonly MessageHead[],
): Promise<Map<string, string>> {
  const ids = new Set(heads.flatMap(fileIdsOf));
  if (ids.size === 0) return new Map();
  const files = await filesOfSession(trx, heads[0]?.session_id ?? "");
  const rows = [...files.values()]
    .filter((file) => ids.has(file.id))
    .map((file) => ({
      share_id: shareId,
      shown_id: newFileId(),
      file_id: file.id,
      user_id: file.user_id,
      name: file.name,
      bytes: file.bytes,
      tokens: file.tokens,
    }));
  await insertSharedFiles(trx, rows);
  return new Map(rows.map((row) => [row.file_id, row.shown_id]));
}

/** Throws where the session was deleted meanwhile, one of the messages is not what it was, or the owner's storage is full. */
async function copyGroup(
  { config, db }: Pick<Deps, "config" | "db">,
  trx: Trx,
  { shareId, group, before }: { shareId: string; group: readonly Copy[]; before: Storage },
): Promise<void> {
  if ((await lockShareState(db, trx, shareId)) !== ShareState.Making)
    throw new Refusal(CreateShareRefusal.ChatSessionDeleted);
  for (const { head, place, fileIds } of group) {
    if (!(await copyIntoShare(trx, { shareId, head, place, fileIds })))
      throw new Refusal(CreateShareRefusal.SomeMessagesCannotBeShared);
  }
  const owner = group[0]?.head.user_id ?? "";
  const { StorageQuotaExceeded } = CreateShareRefusal;
  requireRoom(await storageOf(trx, config, owner), 0, StorageQuotaExceeded, before);
}
