// What an export has in it, entry by entry, each made while it is written (wire-contract.md §14).
import { documentTexts } from "@plumb/protocol/documents/document-texts";
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { Deps } from "../../platform/deps.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { EntriesAside } from "../../platform/zip/pack-aside.ts";
import type { ZipEntry } from "../../platform/zip/pack-entries.ts";
import type { PackedEntries } from "../../platform/zip/write-zip.ts";
import type { ObjectKey } from "../../ports/object-store.ts";
import { findUser } from "../accounts/user-store.ts";
import { listOfCharacters, presentCharacter } from "../agents/character-store.ts";
import { textKey } from "../files/file-keys.ts";
import { pageOfTexts } from "../files/file-store.ts";
import { messagesAsJson, storedMessagesText } from "../sessions/message-pieces.ts";
import { presentSession, usedSessionIds } from "../sessions/session-store.ts";
import { sessionFileName, textFileName } from "./archive-names.ts";
import type { ExportRow } from "./export-store.ts";
import { type ReadSession, readSessions } from "./read-sessions.ts";
import { sessionMarkdown } from "./session-markdown.ts";

/** Of the two JSON files. It is raised when a reader of today would misread them. */
const FORMAT = { format: "plumb-export", format_version: 1 } as const;
const IDS_PER_READ = 500;
const FILES_PER_READ = 100;

type ArchiveDeps = Pick<Deps, "db" | "ports">;

/** Ids of the user's sessions that have messages, the one that changed last first. One that changes meanwhile is in it once. */
export async function sessionsToExport({ db }: ArchiveDeps, userId: string): Promise<string[]> {
  const ids = new Set<string>();
  for (let afterSeqId = -1; ;) {
    await ownTurn();
    const found = await usedSessionIds(db.kysely, userId, { afterSeqId, count: IDS_PER_READ });
    for (const { id } of found) ids.add(id);
    afterSeqId = found.at(-1)?.seq_id ?? afterSeqId;
    if (found.length < IDS_PER_READ) return [...ids].reverse();
  }
}

/** Whether an account without conversations has something else that an archive holds: personas, texts of files. */
export async function hasMoreToExport({ db }: ArchiveDeps, userId: string): Promise<boolean> {
  if ((await listOfCharacters(db.kysely, userId)).length > 0) return true;
  return (await pageOfTexts(db.kysely, userId, { afterId: "", count: 1 })).length > 0;
}

/** All entries in their order. A session's own file is packed while it is written to sessions.json: it is read once. */
export async function* archiveEntries(
  deps: ArchiveDeps,
  row: Pick<ExportRow, "user_id" | "locale" | "requested_at">,
  {
    sessionIds,
    asideKey,
    sessionWritten,
  }: { sessionIds: readonly string[]; asideKey: ObjectKey; sessionWritten: () => Promise<void> },
): AsyncGenerator<ZipEntry | PackedEntries> {
  const { db, ports } = deps;
  const changedAt = row.requested_at;
  yield { name: "account.json", changedAt, content: [await accountAsJson(deps, row)] };

  const texts = documentTexts(row.locale as Locale);
  const documents = new EntriesAside(ports.objectStore, asideKey);
  async function* sessions(): AsyncGenerator<ReadSession> {
    let place = 0;
    for await (const read of readSessions(db, row.user_id, sessionIds)) {
      yield read;
      place += 1;
      await documents.add({
        name: sessionFileName(place, read.session.title, texts.untitled),
        changedAt: read.session.updated_at,
        content: sessionMarkdown(db, read, texts),
      });
      await sessionWritten();
    }
  }
  try {
    yield { name: "sessions.json", changedAt, content: sessionsAsJson(deps, sessions()) };
    yield await documents.end();
  } finally {
    await documents.stop();
  }

  for (let afterId = ""; ;) {
    const files = await pageOfTexts(db.kysely, row.user_id, { afterId, count: FILES_PER_READ });
    for (const file of files) {
      // It may have been removed since.
      if ((await ports.objectStore.sizeOf(textKey(file.id))) === null) continue;
      yield {
        name: textFileName(file.id, file.name),
        changedAt: file.inserted_at,
        content: ports.objectStore.read(textKey(file.id)),
      };
    }
    const last = files.at(-1);
    if (last === undefined) return;
    afterId = last.id;
  }
}

async function accountAsJson(
  { db }: ArchiveDeps,
  row: Pick<ExportRow, "user_id" | "requested_at">,
): Promise<string> {
  const user = await findUser(db.kysely, { id: row.user_id });
  const characters = await listOfCharacters(db.kysely, row.user_id);
  const account = {
    ...FORMAT,
    exported_at: toSeconds(row.requested_at),
    account: {
      id: row.user_id,
      email: user?.email ?? null,
      area_code: user?.area_code ?? null,
      mobile: user?.mobile ?? null,
      created_at: user === undefined ? null : toSeconds(user.created_at),
      training_allowed: user?.training_allowed === 1,
    },
    // No more than LIMITS.charactersMax.
    characters: await Promise.all(characters.slice(0, LIMITS.charactersMax).map(presentCharacter)),
  };
  return `${JSON.stringify(account, null, 2)}\n`;
}

/** A list of what `history_messages` answers of each session. */
async function* sessionsAsJson(
  { db }: ArchiveDeps,
  sessions: AsyncIterable<ReadSession>,
): AsyncGenerator<string | Uint8Array> {
  let before = "[\n";
  for await (const read of sessions) {
    const { session, small } = read;
    const start = `${before}{"chat_session":${JSON.stringify(presentSession(session))},"chat_messages":[`;
    before = ",\n";
    if (small !== null) {
      yield `${start}${storedMessagesText(small)}]}`;
      continue;
    }
    yield start;
    let separator = "";
    for await (const message of messagesAsJson(db, read.heads, read.files)) {
      yield separator;
      separator = ",";
      yield* message;
    }
    yield "]}";
  }
  yield before === "[\n" ? "[\n]\n" : "\n]\n";
}
