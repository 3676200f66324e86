// The container of Kindle books: a Palm database, which is a list of records.
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";

const headBytes = 78;
const entryBytes = 8;
/** Records of text hold 4 KB unpacked; no other that is read here is as large. */
const mostRecordBytes = 1024 * 1024;

const corrupt = (why: string): ReadingError => new ReadingError(40_003, why);

export class PalmRecords {
  readonly #input: InputFile;
  /** Where each begins, and the end of the last. */
  readonly #offsets: readonly number[];

  /** Throws 40008 when it is no book of this kind, 40003 when its list is damaged. */
  constructor(input: InputFile) {
    const head = input.read(0, headBytes);
    if (head.toString("latin1", 60, 68) !== "BOOKMOBI") throw new ReadingError(40_008, "no Kindle book");
    if (head.length < headBytes) throw corrupt("no list of records");
    const count = head.readUInt16BE(76);
    const list = input.read(headBytes, count * entryBytes);
    if (count === 0 || list.length < count * entryBytes) throw corrupt("no list of records");
    const offsets = Array.from({ length: count }, (_, at) => list.readUInt32BE(at * entryBytes));
    offsets.push(input.size);
    if (offsets.some((offset, at) => offset < (offsets[at - 1] ?? 0) || offset > input.size))
      throw corrupt("a record that is not there");
    this.#input = input;
    this.#offsets = offsets;
  }

  /** Throws 40003 when there is none of this number. */
  read(number: number): Buffer {
    const start = this.#offsets[number];
    const end = this.#offsets[number + 1];
    if (start === undefined || end === undefined) throw corrupt("a record is missing");
    if (end - start > mostRecordBytes) throw corrupt("a record is too large");
    const bytes = this.#input.read(start, end - start);
    if (bytes.length < end - start) throw corrupt("a record is cut short");
    return bytes;
  }
}
