// The JSON files of an upload that hold conversations, in their order: of a zip those whose names say so, or the upload itself.
import { crc32 } from "node:zlib";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { LIMITS } from "@plumb/protocol/limits";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { UploadError } from "./upload-error.ts";

/** An own export has an entry for each conversation and each file. */
const BOUNDS: { entries: number; unpackedBytes: number } = {
  entries: 200_000,
  unpackedBytes: LIMITS.importUnpackedBytes,
};
const MOST_NAME_CHARS = 1000;
/** Ours, and ChatGPT's in one file or in several; in folders where somebody has packed it anew. */
const CONVERSATIONS = /^(?:[^/]{1,100}\/){0,4}(?:sessions|conversations(?:-\d{1,6})?)\.json$/u;
const ACCOUNT = /^(?:[^/]{1,100}\/){0,4}account\.json$/u;
/** Personas are few, and short. */
const ACCOUNT_BYTES = 4 * 1024 * 1024;
const FILE_TEXT = /^(?:[^/]{1,100}\/){0,4}files\/.*\.(file-[0-9a-f-]{36})\.txt$/u;

export interface OpenUpload {
  /** The bytes of each file with conversations, one after the other. */
  conversations: (() => AsyncIterable<Uint8Array>)[];
  /** The text of a file of an own export, by its id; null where there is none. At most LIMITS.fileTextBytes. */
  fileText(id: string): Promise<Buffer | null>;
  /** What an own export says beside its conversations; null where there is none. At most 4 MiB. */
  account(): Promise<Buffer | null>;
}

/** Throws UploadError. Other bounds are for tests. */
export async function openUpload(input: InputFile, bounds = BOUNDS): Promise<OpenUpload> {
  const start = input.read(0, 4);
  if (start.toString("hex") === "504b0304") return openZip(input, bounds);
  // What unpacks to anything else has another first sign.
  return {
    conversations: [() => bounded(input.pieces(), new Budget(bounds.unpackedBytes))],
    fileText: async () => null,
    account: async () => null,
  };
}

async function openZip(input: InputFile, bounds: typeof BOUNDS): Promise<OpenUpload> {
  const zip = await orUnreadable(() => fromFdPromise(input.fd, { lazyEntries: true, autoClose: false }));
  const { conversations, texts, account } = await orUnreadable(() => listEntries(zip, bounds.entries));
  if (conversations.length === 0) throw new UploadError("UNSUPPORTED_FORMAT", "no file of conversations");
  const budget = new Budget(bounds.unpackedBytes);
  return {
    conversations: conversations
      .toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1))
      .map((entry) => () => bounded(unpacked(zip, entry), budget)),
    fileText: (id) => whole(texts.get(id), LIMITS.fileTextBytes),
    account: () => whole(account, ACCOUNT_BYTES),
  };
  async function whole(entry: Entry | undefined, mostBytes: number): Promise<Buffer | null> {
    if (entry === undefined || entry.uncompressedSize > mostBytes) return null;
    const pieces: Uint8Array[] = [];
    for await (const piece of bounded(unpacked(zip, entry), budget)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

async function listEntries(
  zip: ZipFile,
  mostEntries: number,
): Promise<{ conversations: Entry[]; texts: Map<string, Entry>; account: Entry | undefined }> {
  const conversations: Entry[] = [];
  let account: Entry | undefined;
  const texts = new Map<string, Entry>();
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (count > mostEntries) throw new UploadError("TOO_LARGE", "too many entries");
    const { fileName } = entry;
    if (fileName.length > MOST_NAME_CHARS) continue;
    const isText = FILE_TEXT.exec(fileName)?.[1];
    const isAccount = ACCOUNT.test(fileName);
    if (isText === undefined && !isAccount && !CONVERSATIONS.test(fileName)) continue;
    if ((entry.generalPurposeBitFlag & 1) === 1) throw new UploadError("LOCKED", "encrypted");
    if (isAccount) account = entry;
    else if (isText === undefined) conversations.push(entry);
    else texts.set(isText, entry);
  }
  return { conversations, texts, account };
}

async function* unpacked(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await orUnreadable(() => zip.openReadStreamPromise(entry));
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let sum = 0;
  for (;;) {
    const next = await orUnreadable(() => pieces.next());
    if (next.done === true) break;
    sum = crc32(next.value, sum);
    yield next.value;
  }
  // Letters that have changed on the way may still be JSON.
  if (sum !== entry.crc32) throw new UploadError("UNREADABLE", "damaged");
}

/** What may still be unpacked of an upload. */
class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new UploadError("TOO_LARGE", "unpacks to too much");
  }
}

async function* bounded(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    budget.spend(piece.length);
    yield piece;
  }
}

/** What a library throws at bytes that are no good archive. */
async function orUnreadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UploadError) throw error;
    throw new UploadError("UNREADABLE", error instanceof Error ? error.message : "damaged");
  }
}
