// Reads an upload conversation by conversation, and writes what is made of each.
import { createHash } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";
import type { ImportKind, ImportSkip } from "@plumb/protocol/wire/imports";
import { countTokens } from "../../../platform/count-tokens.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import type { UploadToRead } from "../../../ports/conversation-reader.ts";
import { buildSession } from "./build-session.ts";
import { importTexts } from "./import-texts.ts";
import { type JsonElement, jsonElements } from "./json-elements.ts";
import { jsonIn, objectAt, textAt } from "./json-value.ts";
import { type OpenUpload, openUpload } from "./open-upload.ts";
import { readCharacters } from "./read-characters.ts";
import { readerOf } from "./reader-of.ts";
import type { RecordSink } from "./record-sink.ts";
import type { SourceConversation, SourceFile } from "./source-conversation.ts";
import { ConversationError, UploadError } from "./upload-error.ts";

/** Nobody has had so many: what goes on and on costs whoever is told of each. */
const MOST_CONVERSATIONS = 200_000;
/** A longer id is not told whole. */
const MOST_ID_CHARS = 200;

/** How one upload is read. */
type How = Omit<UploadToRead, "path" | "recordsPath" | "isShort">;

/** Throws UploadError; what was written before stands. Other `bounds` are for tests. */
export async function writeRecords(
  input: InputFile,
  sink: RecordSink,
  how: How,
  bounds?: Parameters<typeof openUpload>[1],
): Promise<void> {
  const upload = await openUpload(input, bounds);
  const writer = new RecordWriter(upload, sink, how);
  for (const open of upload.conversations) {
    const before = writer.place;
    const isWanted = (index: number) => before + index >= how.after;
    const limits = { mostBytes: LIMITS.importSessionBytes, isWanted };
    for await (const element of jsonElements(open(), limits)) await writer.take(element);
  }
  await writer.end();
}

interface FileText extends SourceFile {
  text: Buffer;
  tokens: number;
}

class RecordWriter {
  readonly #upload: OpenUpload;
  readonly #sink: RecordSink;
  readonly #how: How;
  #kind: ImportKind | null;
  #saidCharacters = false;
  #place = 0;
  #keptBytes = 0;

  constructor(upload: OpenUpload, sink: RecordSink, how: How) {
    this.#upload = upload;
    this.#sink = sink;
    this.#how = how;
    this.#kind = how.kind;
  }

  /** Conversations that were met. */
  get place(): number {
    return this.#place;
  }

  async take(element: JsonElement): Promise<void> {
    this.#place += 1;
    const place = this.#place;
    if (place > MOST_CONVERSATIONS) throw new UploadError("TOO_LARGE", "too many conversations");
    const reader = element.ok ? readerOf(element.value) : null;
    if (reader !== null && this.#kind === null) {
      this.#kind = reader.kind;
      this.#sink.write({ type: "source", kind: reader.kind });
    }
    if (reader?.kind === "plumb" && !this.#saidCharacters) await this.#sayCharacters();
    if (place <= this.#how.after) return;
    if (!element.ok || reader === null) {
      const reason = !element.ok && element.problem === "too-large" ? "TOO_LARGE" : "UNREADABLE";
      // No form is known, but what all forms have may be there.
      this.#skip(element.ok ? titleIn(element.value) : "", reason);
      return;
    }
    const title = titleIn(element.value);
    this.#sink.write({ type: "begin", place, title });
    // Should it break down at this one, it is known at which.
    this.#sink.flush();
    try {
      const read = reader.read(element.value, this.#how.now, importTexts(this.#how.locale));
      await this.#write(reader.kind, read);
    } catch (error) {
      // A damaged archive is no matter of one conversation; whatever else breaks at it is.
      if (error instanceof UploadError) throw error;
      this.#skip(title, error instanceof ConversationError ? error.reason : "UNREADABLE");
    }
  }

  async end(): Promise<void> {
    // An own export of an account that has no conversations has its personas.
    if (this.#place === 0 && (await this.#isOwn())) {
      this.#kind = "plumb";
      this.#sink.write({ type: "source", kind: "plumb" });
      await this.#sayCharacters();
    }
    if (this.#kind === null) throw new UploadError("UNSUPPORTED_FORMAT", "no conversation of a known form");
    this.#sink.write({ type: "total", total: this.#place });
  }

  async #isOwn(): Promise<boolean> {
    const account = await this.#upload.account();
    return account !== null && textAt(jsonIn(account.toString("utf8")), "format") === "plumb-export";
  }

  async #sayCharacters(): Promise<void> {
    this.#saidCharacters = true;
    const account = await this.#upload.account();
    if (account === null) return;
    for (const record of readCharacters(account.toString("utf8"), this.#how.now)) this.#sink.write(record);
  }

  #skip(title: string, reason: ImportSkip): void {
    this.#sink.write({ type: "skip", place: this.#place, title, reason });
    // The reader may break down at the next one before that is begun.
    this.#sink.flush();
  }

  async #write(kind: ImportKind, conversation: SourceConversation): Promise<void> {
    const place = this.#place;
    if (place > LIMITS.importSessions) throw new ConversationError("TOO_MANY", "enough");
    const { session, messages, files, bytes } = await buildSession(conversation, this.#how);
    if (this.#keptBytes + bytes > this.#how.keptBytes)
      throw new ConversationError("TOO_MANY", "enough words");
    const texts = await this.#textsOf(files);
    this.#keptBytes += bytes;
    const source = `${kind}:${nameOf(conversation) ?? digestOf(messages.map(({ fragments }) => fragments))}`;
    const updatedAt = kind === "plumb" ? session.updatedAt : withinItsSecond(session.updatedAt, place);
    this.#sink.write({ type: "session", place, source, ...session, updatedAt });
    for (const { text, ...file } of texts)
      this.#sink.write({ type: "file", ...file, bytes: text.length }, text);
    const known = new Set(texts.map(({ ref }) => ref));
    for (const { record, fragments } of messages) {
      const own = { ...record, files: record.files.filter((ref) => known.has(ref)) };
      this.#sink.write({ ...own, bytes: fragments.length }, fragments);
    }
    this.#sink.write({ type: "end", place });
    this.#sink.flush();
  }

  /** Files without their texts are none of which a model could be told. */
  async #textsOf(files: readonly SourceFile[]): Promise<FileText[]> {
    const found: FileText[] = [];
    for (const file of files.slice(0, LIMITS.filesPerSession)) {
      const bytes = await this.#upload.fileText(file.ref);
      if (bytes === null) continue;
      const clean = new TextDecoder().decode(bytes).replaceAll("\0", "");
      const text = Buffer.from(clean);
      this.#keptBytes += text.length;
      found.push({ ...file, text, tokens: await countTokens(clean) });
    }
    return found;
  }
}

/** Others name whole seconds, and begin with what changed last: of those of one second the first stays the last. */
function withinItsSecond(updatedAt: number, place: number): number {
  return updatedAt % 1000 === 0 ? updatedAt + 999 - ((place - 1) % 1000) : updatedAt;
}

/** By what a conversation can be named of which nothing else can be said; of a title at most so much as sessions have. */
function titleIn(value: unknown): string {
  const title =
    textAt(value, "title") ||
    textAt(objectAt(value, "chat"), "title") ||
    textAt(objectAt(value, "chat_session"), "title");
  return firstWordsTitle(title.slice(0, 10 * LIMITS.titleChars));
}

/** What tells it from others, short enough to be told. */
function nameOf({ id }: SourceConversation): string | null {
  return id === null || id.length <= MOST_ID_CHARS ? id : digestOf([Buffer.from(id)]);
}

function digestOf(parts: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
