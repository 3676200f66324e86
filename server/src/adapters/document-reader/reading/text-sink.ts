// Where the text of a document goes: a file of bounded size, written piece by piece.
import { writeSync } from "node:fs";
import { TooLongError } from "./reading-error.ts";

const flushAt = 64 * 1024;

/**
 * Line ends become LF. NUL is left out, since PostgreSQL stores none, and a half of a surrogate pair becomes U+FFFD.
 * Throws TooLongError when the text has more than `limit` bytes; what fits is written then.
 */
export class TextSink {
  /** Whether anything has come, and anything that shows. */
  hasText = false;
  isBlank = true;
  /** Set by a reader that met a page which is a picture without text. */
  hasPictures = false;
  #waiting = "";
  #written = 0;
  readonly #fd: number;
  /** Bytes that it takes. */
  readonly limit: number;

  constructor(fd: number, limit: number) {
    this.#fd = fd;
    this.limit = limit;
  }

  write(text: string): void {
    if (text === "") return;
    this.hasText = true;
    if (this.isBlank && /[^\s\u{feff}\u{200b}\0]/u.test(text)) this.isBlank = false;
    this.#waiting += text;
    if (this.#waiting.length >= flushAt) this.#flush(false);
  }

  /** One line, or several. */
  line(text: string): void {
    this.write(`${text}\n`);
  }

  end(): void {
    this.#flush(true);
  }

  #flush(isEnd: boolean): void {
    // A pair, or a CR LF, may lie across two pieces: its first half waits.
    const keep = !isEnd && /[\r\ud800-\udbff]$/.test(this.#waiting) ? 1 : 0;
    const piece = this.#waiting.slice(0, this.#waiting.length - keep);
    this.#waiting = this.#waiting.slice(piece.length);
    const bytes = Buffer.from(piece.replaceAll("\0", "").replaceAll(/\r\n?/g, "\n").toWellFormed());
    const fits = bytes.subarray(0, this.limit - this.#written);
    for (let at = 0; at < fits.length;) at += writeSync(this.#fd, fits, at);
    this.#written += fits.length;
    if (fits.length < bytes.length) throw new TooLongError();
  }
}
