// One streaming call over undici's dispatcher: bytes go straight from the socket into the reader.
import { createBrotliDecompress, createUnzip, constants } from "node:zlib";
import type { Transform } from "node:stream";
import type { Dispatcher } from "undici";
import { ModelError, type ModelChunk } from "../../ports/model-provider.ts";
import type { ChatStreamReader } from "./chat-stream-reader.ts";
import { errorOfAnswer, errorOfConnection, isBrokenConnection } from "./endpoint-errors.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Bytes unread by the consumer at which the socket is paused. */
const HIGH_WATER = 256 * 1024;
/** Most of an error answer that is read, in bytes, and how long is waited for it. */
const ANSWER_LIMIT = 64 * 1024;
const ANSWER_MS = 5_000;
/** How long the end of a finished reply is waited for. */
const FINISHING_MS = 2_000;

/** What a stream may begin with; a comment has the empty name. */
const FIELD_NAMES = ["", "data", "event", "id", "retry"];
/** By then a body has said what it is. */
const SNIFFED_BYTES = 1024;

export interface ExchangeOptions {
  dispatcher: Dispatcher;
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  firstTokenMs: number;
  stallMs: number;
  /** How many connections the dispatcher has made so far. */
  connects: () => number;
  reader: ChatStreamReader;
  secret: string | null;
}

/** Finishes once: by the end of the reply, a ModelError, or abort(). */
export class ChatExchange implements Dispatcher.DispatchHandler {
  private readonly options: ExchangeOptions;
  private controller: Dispatcher.DispatchController | undefined;
  private decompressor: Transform | undefined;
  /** Status and text of an answer that is no event stream. */
  private answer: { status: number; text: string } | undefined;
  private retryAfterSecs: number | null = null;
  /** What came so far of a body that does not say what it is; undefined once that is known. */
  private sniffed: Buffer | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Any answer has begun. */
  private responded = false;
  /** Connections that had been made when the call was sent. */
  private readonly connects: number;
  private retried = false;
  private failure: Error | undefined;
  private finished = false;
  /** The body ended; the socket may serve another call by now. */
  private ended = false;
  /** Bytes that came while nobody asked: many small pieces are read at once for less. */
  private unparsed: Buffer[] = [];
  /** Bytes that came since the consumer last took chunks. */
  private unread = 0;
  private wake: (() => void) | undefined;

  constructor(options: ExchangeOptions) {
    this.options = options;
    this.wait(options.firstTokenMs, () => this.fail(this.stalled(options.firstTokenMs)));
    this.connects = options.connects();
    this.dispatch();
  }

  private dispatch(): void {
    const { dispatcher, origin, path, headers, body } = this.options;
    // The stall limit alone decides how long silence may last.
    dispatcher.dispatch(
      { origin, path, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 },
      this,
    );
  }

  /** The chunks that came since the last call; null after the last. Rejects with the failure once they are read. */
  async next(): Promise<ModelChunk[] | null> {
    for (;;) {
      this.parse();
      const chunks = this.options.reader.take();
      if (chunks) {
        this.goOn();
        return chunks;
      }
      if (this.failure) throw this.failure;
      if (this.finished) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Closes the socket at once; `next` rejects with the reason. */
  abort(reason: Error): void {
    this.fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.finished) controller.abort(this.failure ?? new Error("the reply is over"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.responded = true;
    this.retryAfterSecs = retryAfterOf(headers);
    const type = String(headers["content-type"] ?? "");
    if (status >= 300 || /json|html/i.test(type)) {
      this.answer = { status, text: "" };
      this.wait(ANSWER_MS, () => this.refuse());
    } else if (!/text\/event-stream/i.test(type)) this.sniffed = Buffer.alloc(0);
    const encoding = String(headers["content-encoding"] ?? "identity").toLowerCase();
    if (encoding !== "identity") this.decompress(encoding);
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.finished) return;
    if (!this.decompressor) return this.read(bytes);
    if (!this.decompressor.write(bytes)) controller.pause();
  }

  onResponseEnd(): void {
    this.ended = true;
    if (this.finished) return;
    if (this.decompressor) this.decompressor.end();
    else this.over();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.parse();
    if (this.finished) return;
    const kept = this.options.connects() === this.connects;
    if (kept && !this.responded && !this.retried && isBrokenConnection(error)) {
      // A connection that was kept may have been closed by the other side in this very moment.
      this.retried = true;
      this.dispatch();
    } else if (this.answer) this.refuse();
    else if (this.options.reader.finishing || this.options.reader.done) this.over();
    else this.fail(errorOfConnection(error));
  }

  private decompress(encoding: string): void {
    const known = { gzip: createUnzip, "x-gzip": createUnzip, deflate: createUnzip };
    const flush = constants.Z_SYNC_FLUSH;
    const make = known[encoding as keyof typeof known];
    if (!make && encoding !== "br") {
      this.fail(new ModelError("protocol", "The model endpoint answered in an unknown content encoding."));
      return;
    }
    const stream = make ? make({ flush, finishFlush: flush }) : createBrotliDecompress();
    this.decompressor = stream;
    stream.on("data", (bytes: Buffer) => this.read(bytes));
    stream.on("drain", () => {
      if (this.unread < HIGH_WATER) this.controller?.resume();
    });
    stream.on("end", () => this.over());
    stream.on("error", (error) => {
      this.fail(
        new ModelError("protocol", "The model endpoint sent broken compressed data.", { cause: error }),
      );
    });
  }

  private read(bytes: Buffer): void {
    if (this.finished) return;
    const known = this.sniffed === undefined ? bytes : this.sniff(bytes);
    if (known !== undefined) this.readKnown(known);
  }

  private readKnown(bytes: Buffer): void {
    if (this.answer) {
      this.answer.text += bytes.toString("utf8");
      if (this.answer.text.length > ANSWER_LIMIT) this.refuse();
      return;
    }
    this.unparsed.push(bytes);
    this.unread += bytes.length;
    if (this.wake !== undefined) this.parse();
    if (this.unread <= HIGH_WATER) return;
    // What is taken from the socket can become a thousand times as much.
    this.decompressor?.pause();
    this.controller?.pause();
  }

  /** Reads what came; afterwards the consumer has something to take, or the reply is over. */
  private parse(): void {
    if (this.finished || this.unparsed.length === 0) return;
    const [first] = this.unparsed;
    const bytes = this.unparsed.length === 1 && first ? first : Buffer.concat(this.unparsed);
    this.unparsed = [];
    const { reader } = this.options;
    const before = reader.events;
    try {
      reader.feed(bytes);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (reader.done) {
      this.over();
      return;
    }
    if (reader.events !== before) this.heard(before === 0);
    if (reader.pending) this.notify();
    else this.goOn();
  }

  /** All that came is read: the socket may bring more. */
  private goOn(): void {
    this.unread = 0;
    this.decompressor?.resume();
    if (this.controller?.paused && !this.decompressor?.writableNeedDrain) this.controller.resume();
  }

  /**
   * Takes the beginning of a body that does not say what it is. A stream may come in any slices: nothing is decided before
   * the name of its first field is whole. Returns what is to be read then, or undefined while it cannot be told.
   */
  private sniff(bytes: Buffer): Buffer | undefined {
    const begun = Buffer.concat([this.sniffed ?? Buffer.alloc(0), bytes]);
    this.sniffed = begun;
    const text = begun.toString("utf8", 0, SNIFFED_BYTES).replace(/^\ufeff?\s*/u, "");
    const name = /^[a-z]*/u.exec(text)?.[0] ?? "";
    const open = name === text && begun.length < SNIFFED_BYTES;
    if (open && FIELD_NAMES.some((field) => field.startsWith(name))) return undefined;
    this.sniffed = undefined;
    if (text[name.length] !== ":" || !FIELD_NAMES.includes(name)) this.answer = { status: 200, text: "" };
    return begun;
  }

  /** An event came: the time of silence begins again. */
  private heard(first: boolean): void {
    const { stallMs, reader } = this.options;
    if (reader.finishing) this.wait(FINISHING_MS, () => this.over());
    else if (first) this.wait(stallMs, () => this.silent());
    else this.timer?.refresh();
  }

  private silent(): void {
    // A reader that does not take its chunks is slow itself; the endpoint was not given the chance to speak.
    const waits = this.controller?.paused || this.decompressor?.isPaused() || this.unparsed.length > 0;
    if (waits) this.timer?.refresh();
    else this.fail(this.stalled(this.options.stallMs));
  }

  private stalled(ms: number): ModelError {
    return new ModelError("stall", `The model endpoint was silent for ${Math.round(ms / 1000)} s.`);
  }

  private refuse(): void {
    const { status, text } = this.answer ?? { status: 0, text: "" };
    const error = errorOfAnswer(status, text, this.options.secret);
    error.retryAfterSecs = this.retryAfterSecs ?? undefined;
    this.fail(error);
  }

  private over(): void {
    this.parse();
    if (this.finished) return;
    // It ended before it could be told what it is: no stream is so short.
    if (this.sniffed !== undefined) this.answer = { status: 200, text: this.sniffed.toString("utf8") };
    if (this.answer) return this.refuse();
    try {
      this.options.reader.finish();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.finish();
    // After [DONE] the body usually ends at once, and the connection is kept; if not, it is closed.
    if (this.ended) return;
    setTimeout(() => {
      if (!this.ended) this.controller?.abort(new Error("the reply is over"));
    }, FINISHING_MS).unref();
  }

  private fail(error: Error): void {
    if (this.finished) return;
    this.failure = error;
    this.finish();
    this.decompressor?.destroy();
    if (!this.ended) this.controller?.abort(error);
  }

  private finish(): void {
    this.finished = true;
    clearTimeout(this.timer);
    this.notify();
  }

  private wait(ms: number, then: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, ms);
  }

  private notify(): void {
    this.wake?.();
    this.wake = undefined;
  }
}
