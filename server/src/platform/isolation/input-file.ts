// The document as an open file: the process that reads it may open none by name.
import { fstatSync, readSync } from "node:fs";

const pieceBytes = 256 * 1024;

export class InputFile {
  readonly fd: number;
  readonly size: number;

  constructor(fd: number) {
    this.fd = fd;
    this.size = fstatSync(fd).size;
  }

  /** The bytes from `start`, as many of `length` as there are. */
  read(start: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - start));
    const buffer = Buffer.allocUnsafe(wanted);
    let filled = 0;
    while (filled < wanted) {
      const count = readSync(this.fd, buffer, filled, wanted - filled, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  /** Everything at once, for formats that can be read in no other way. */
  readAll(): Buffer {
    return this.read(0, this.size);
  }

  /** The bytes from `start` to the end in pieces. */
  *pieces(start = 0): Generator<Buffer> {
    for (let at = start; at < this.size;) {
      const piece = this.read(at, pieceBytes);
      if (piece.length === 0) return;
      at += piece.length;
      yield piece;
    }
  }
}
