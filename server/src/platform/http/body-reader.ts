// A body that is taken piece by piece: what has come waits here, no more of it than a piece or two.
import { Global } from "@plumb/protocol/wire/global-codes";
import type { IncomingMessage } from "node:http";
import { GlobalRefusal } from "../refusal.ts";

/** Bytes to be read once, one after the other. */
export interface ByteSource {
  /** Fills the beginning of `target`, which has room, with what there is, and waits where there is nothing; 0 = the end. */
  readInto(target: Uint8Array): Promise<number>;
}

/** What may wait before the sender is stopped: as much as comes in while a piece is written to the disk. */
export const WAITING_BYTES = 128 * 1024;

/**
 * Takes a request's body. `readInto` throws 41300 over `bytes`, what `fail` was given, and `late` when nothing comes for
 * `idleMs` while it is waited for.
 */
export class BodyReader implements ByteSource {
  readonly #request: IncomingMessage;
  readonly #idleMs: number;
  readonly #late: GlobalRefusal;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #left: number;
  #ended = false;
  #failure: GlobalRefusal | null = null;
  #wake = (): void => {};

  constructor(
    request: IncomingMessage,
    { bytes, idleMs, late }: { bytes: number; idleMs: number; late: GlobalRefusal },
  ) {
    this.#request = request;
    this.#left = bytes;
    this.#idleMs = idleMs;
    this.#late = late;
    request.on("data", this.#onData).once("end", this.#onEnd);
  }

  /** Nothing more comes: what waits can still be read, then `refusal` is thrown. */
  fail(refusal: GlobalRefusal): void {
    this.#failure ??= refusal;
    this.#wake();
  }

  async readInto(target: Uint8Array): Promise<number> {
    while (this.#waitingBytes === 0) {
      if (this.#ended) return 0;
      if (this.#failure !== null) throw this.#failure;
      const idle = setTimeout(() => this.fail(this.#late), this.#idleMs);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#request.resume();
      });
      clearTimeout(idle);
    }
    let filled = 0;
    for (
      let chunk = this.#waiting[0];
      chunk !== undefined && filled < target.length;
      chunk = this.#waiting[0]
    ) {
      const taken = chunk.subarray(0, target.length - filled);
      target.set(taken, filled);
      filled += taken.length;
      if (taken.length < chunk.length) {
        this.#waiting[0] = chunk.subarray(taken.length);
      } else {
        this.#waiting.shift();
        free(chunk);
      }
    }
    this.#waitingBytes -= filled;
    this.#left -= filled;
    if (this.#left < 0) throw new GlobalRefusal(Global.BodyTooLarge);
    if (this.#waitingBytes < WAITING_BYTES && this.#failure === null) this.#request.resume();
    return filled;
  }

  /** Lets go of the request. What is left of its body is not read. */
  close(): void {
    this.#request.off("data", this.#onData).off("end", this.#onEnd);
    this.#waiting.length = 0;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= WAITING_BYTES) this.#request.pause();
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake();
  };
}

/**
 * Gives the memory of a chunk back now. The collector sees little of the megabytes that a body leaves behind, and lets tens of
 * them pile up before it comes. A chunk that shares its memory is left to it.
 */
function free(chunk: Uint8Array): void {
  const { buffer, byteOffset, byteLength } = chunk;
  const isWhole = byteOffset + byteLength === buffer.byteLength && byteLength > 0;
  if (isWhole && buffer instanceof ArrayBuffer && buffer.byteLength >= 16 * 1024) buffer.transfer(0);
}
