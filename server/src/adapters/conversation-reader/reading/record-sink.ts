// Where records go: a file, of which every conversation is written at once.
import { writeSync } from "node:fs";
import type { ImportRecord } from "../../../ports/conversation-reader.ts";

const FLUSH_BYTES = 256 * 1024;

export class RecordSink {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #bytes = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** `content` is what stands behind the line of a record that tells its bytes. */
  write(record: ImportRecord, content: Buffer | null = null): void {
    this.#add(Buffer.from(`${JSON.stringify(record)}\n`));
    if (content === null) return;
    this.#add(content);
    this.#add(Buffer.from("\n"));
  }

  flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#bytes = 0;
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
  }

  #add(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > FLUSH_BYTES) this.flush();
  }
}
