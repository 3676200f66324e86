// The records of a reading, one after the other: what stands behind the line of one is read when it is asked for.
import type { FileHandle } from "node:fs/promises";
import { LIMITS } from "@plumb/protocol/limits";
import type { ImportRecord } from "../../ports/conversation-reader.ts";

const READ_BYTES = 256 * 1024;
const LINE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

export interface ReadRecord {
  record: ImportRecord;
  /** Where the bytes behind it begin, in a file of its own text. */
  at: number;
}

/** Records up to the end, or to one of which not all was written. Throws for a line of more than LINE_BYTES, which none has. */
export async function* readRecords(file: FileHandle): AsyncGenerator<ReadRecord> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES + LINE_BYTES);
  /** What of the file is in the buffer. */
  let [from, to] = [0, 0];
  for (let at = 0; at < size;) {
    let end = at < from || at > to ? -1 : buffer.subarray(0, to - from).indexOf(LINE_FEED, at - from);
    if (end === -1) {
      from = at;
      to = at + (await file.read(buffer, 0, buffer.length, at)).bytesRead;
      end = buffer.subarray(0, to - from).indexOf(LINE_FEED);
      // Whoever took it for the end would leave out what follows, and tell nobody.
      if (end === -1 && to - from === buffer.length) throw new Error("a record is longer than one may be");
      // A line that was not written to its end.
      if (end === -1) return;
    }
    const record = JSON.parse(buffer.toString("utf8", at - from, end)) as ImportRecord;
    const next = from + end + 1;
    const bytes = "bytes" in record ? record.bytes + 1 : 0;
    if (next + bytes > size) return;
    yield { record, at: next };
    at = next + bytes;
  }
}

/** What stands behind a message's line. */
export async function contentAt(file: FileHandle, at: number, bytes: number): Promise<string> {
  if (bytes > LIMITS.importMessageBytes) throw new Error(`a record has ${bytes} bytes`);
  const buffer = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, at);
  if (bytesRead < bytes) throw new Error("a record is shorter than it says");
  return buffer.toString("utf8");
}
