// The body of one request: read when it is wanted, bounded from the first byte, cut when it does not end.
import { Global } from "@plumb/protocol/wire/global-codes";
import type { IncomingMessage } from "node:http";
import { GlobalRefusal } from "../refusal.ts";
import type { BodyBudget } from "./body-budget.ts";
import { BodyReader, type ByteSource, WAITING_BYTES } from "./body-reader.ts";

const FIRST_BYTES = 4 * 1024;
/** What a streamed body holds: what waits, and as much where it is taken apart. */
const STREAM_BYTES = 2 * WAITING_BYTES;
const empty = Buffer.alloc(0);

export interface IncomingBodyOptions {
  /** Time until the whole body must be there. */
  ms: number;
  /** How long the rest is taken in after the answer. */
  lingerMs: number;
  /** Whose body it is, for the budget: a network. */
  sender: string;
  budget: BodyBudget;
}

export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #lingerMs: number;
  readonly #sender: string;
  readonly #budget: BodyBudget;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #held = { bytes: 0, refuse: (refusal: GlobalRefusal) => this.refuse(refusal) };
  #reject: ((refusal: GlobalRefusal) => void) | null = null;
  #refused: GlobalRefusal | null = null;
  #pending: boolean;
  /** What has come, with room for more. */
  #buffer = empty;
  #length = 0;
  #answered = false;

  constructor(request: IncomingMessage, { ms, lingerMs, sender, budget }: IncomingBodyOptions) {
    this.#request = request;
    this.#lingerMs = lingerMs;
    this.#sender = sender;
    this.#budget = budget;
    this.#pending = announcesBody(request);
    if (!this.#pending) return;
    this.#timer = setTimeout(() => this.refuse(notReadable("not received in time")), ms);
    this.#timer.unref();
    request.once("end", () => this.#settle());
    request.once("close", () => this.#settle());
  }

  /** Whether some of it is still to come. */
  get pending(): boolean {
    return this.#pending;
  }

  /** Calls back once when the whole body has come or the connection has gone. */
  onSettled(callback: () => void): void {
    if (!this.#pending) callback();
    else this.#request.once("close", callback).once("end", callback);
  }

  /** The bytes; null without a body. Throws 41300 over the limit, 42905 over the budget, 42200 when cut off or late. */
  async read(limitBytes: number): Promise<Uint8Array | null> {
    if (this.#refused !== null) throw this.#refused;
    if (!this.#pending) return null;
    const request = this.#request;
    const announced = Number(request.headers["content-length"] ?? limitBytes);
    const mostBytes = Math.min(limitBytes, announced);
    const onData = (chunk: Buffer): void => this.#append(chunk, limitBytes, mostBytes);
    const onCut = (): void => this.#reject?.(notReadable("not readable"));
    try {
      await new Promise<void>((resolve, reject) => {
        this.#reject = reject;
        const onEnd = (): void => {
          // "close" comes before what waits for this goes on: it cuts nothing off any more.
          this.#reject = null;
          resolve();
        };
        request.on("data", onData).once("end", onEnd).once("close", onCut).once("error", onCut);
      });
      return this.#buffer.subarray(0, this.#length);
    } finally {
      this.#reject = null;
      request.off("data", onData).off("close", onCut).off("error", onCut);
      this.#release();
    }
  }

  /**
   * The bytes as they come, for as long as `use` takes: no more of them in memory than what is on its way. Reading throws 41300
   * over the limit, 42905 over the budget, 42200 when the body is cut off, late, or silent for `idleMs` while it is waited for.
   */
  async stream<T>(
    { bytes, idleMs }: { bytes: number; idleMs: number },
    use: (source: ByteSource) => Promise<T>,
  ): Promise<T> {
    if (this.#refused !== null) throw this.#refused;
    if (!this.#pending) return use({ readInto: async () => 0 });
    const request = this.#request;
    const reader = new BodyReader(request, { bytes, idleMs, late: notReadable("not received in time") });
    const onCut = (): void => reader.fail(notReadable("not readable"));
    request.once("close", onCut).once("error", onCut);
    this.#reject = (refusal) => reader.fail(refusal);
    this.#budget.grow(this.#sender, this.#held, STREAM_BYTES);
    try {
      return await use(reader);
    } finally {
      this.#reject = null;
      reader.close();
      request.off("close", onCut).off("error", onCut);
      this.#release();
    }
  }

  /** One buffer that grows, so that a body in a thousand packets costs no more than in one. */
  #append(chunk: Buffer, limitBytes: number, mostBytes: number): void {
    if (this.#refused !== null) return;
    const length = this.#length + chunk.length;
    if (length > limitBytes) {
      this.refuse(new GlobalRefusal(Global.BodyTooLarge));
      return;
    }
    if (length > this.#buffer.length) {
      const doubled = Math.max(FIRST_BYTES, this.#buffer.length * 2, length);
      const capacity = Math.min(doubled, Math.max(mostBytes, length));
      this.#budget.grow(this.#sender, this.#held, capacity - this.#buffer.length);
      // The budget may have been too small for this very body.
      if (this.#refused !== null) return;
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  /** Ends the reading with `refusal`, now or when it begins; where the answer has gone already, the connection. */
  refuse(refusal: GlobalRefusal): void {
    if (!this.#pending || this.#refused !== null) return;
    this.#refused = refusal;
    this.#release();
    if (this.#answered) this.#request.socket.destroy();
    this.#reject?.(refusal);
  }

  /** The response has been written. The rest is dropped for a while, so that a sender can finish and read the answer. */
  answered(): void {
    this.#answered = true;
    if (!this.#pending) return;
    this.#request.resume();
    const linger = setTimeout(() => this.#request.socket.destroy(), this.#lingerMs);
    linger.unref();
    this.onSettled(() => clearTimeout(linger));
  }

  /** Requests live on for a while after their answers: their bytes do not. */
  #release(): void {
    this.#buffer = empty;
    this.#length = 0;
    this.#budget.release(this.#sender, this.#held);
  }

  #settle(): void {
    this.#pending = false;
    clearTimeout(this.#timer);
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function notReadable(msg: string): GlobalRefusal {
  return new GlobalRefusal(Global.InvalidParams, { detail: [{ loc: "body", msg }] });
}
