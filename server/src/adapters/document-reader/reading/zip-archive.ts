// A zip archive whose parts are read piece by piece and never written anywhere.
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import { hasMark, requireMark } from "./type-marks.ts";

/** No document of a person has more parts. */
const mostParts = 20_000;
/** All that is unpacked of one document, in bytes: some seconds of work. */
const mostUnpacked = 256 * 1024 * 1024;

export class ZipArchive {
  readonly #zip: ZipFile;
  readonly #parts: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#parts = parts;
  }

  /** Throws 40008 when it is no zip, 40004 when it is locked, 40003 when it is damaged and 40007 when it has too many parts. */
  static async open(input: InputFile): Promise<ZipArchive> {
    // Office locks a document by putting all of it into a compound file.
    if (hasMark(input, "compound") && input.readAll().includes(Buffer.from("EncryptedPackage", "utf16le"))) {
      throw new ReadingError(40_004, "encrypted");
    }
    requireMark(input, "zip");
    return orCorrupt(async () => {
      const zip = await fromFdPromise(input.fd, { lazyEntries: true, autoClose: false });
      const parts = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if ((entry.generalPurposeBitFlag & 1) === 1) throw new ReadingError(40_004, "encrypted");
        if (parts.size >= mostParts) throw new ReadingError(40_007, "too many parts");
        parts.set(entry.fileName, entry);
      }
      return new ZipArchive(zip, parts);
    });
  }

  get names(): string[] {
    return [...this.#parts.keys()];
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  /** The text of a part in UTF-8, or UTF-16 with its mark. Throws 40003 when it is missing or damaged. */
  async *text(name: string): AsyncGenerator<string> {
    const entry = this.#parts.get(name);
    if (entry === undefined) throw new ReadingError(40_003, `no ${name}`);
    const stream = await orCorrupt(() => this.#zip.openReadStreamPromise(entry));
    let decoder: InstanceType<typeof TextDecoder> | null = null;
    const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await orCorrupt(() => pieces.next());
      if (done === true) break;
      this.#unpacked += value.length;
      if (this.#unpacked > mostUnpacked) throw new ReadingError(40_007, "unpacks to too much");
      decoder ??= new TextDecoder(encodingOf(value));
      yield decoder.decode(value, { stream: true });
    }
    if (decoder !== null) yield decoder.decode();
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}
