// The writing end of an event stream: one write per turn of the event loop, and its backpressure in sight.
import { ContentType } from "@plumb/protocol/wire/headers";
import type { ServerResponse } from "node:http";

/** Headers of wire-contract.md §1.3 for event streams. */
export const eventStreamHeaders = {
  "content-type": ContentType.EventStream,
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Text collected before a write of `writePieces`. */
const WRITE_CHARS = 32 * 1024;

export interface SseResponse {
  /** Queues text; all of one turn goes out in one write. Ignored once the connection has closed or `end` was called. */
  write(text: string): void;
  /**
   * Writes text whose length a user chooses: asks for the next piece when the reader has taken the last ones. Resolves
   * when all is written or the connection has ended; rejects with what `pieces` throws.
   */
  writePieces(pieces: AsyncIterable<string | Uint8Array>): Promise<void>;
  /** Characters queued and bytes not yet taken by the system: what a slow reader costs. */
  readonly buffered: number;
  readonly closed: boolean;
  /** Calls back each time a full buffer has emptied. */
  onDrain(callback: () => void): void;
  /** Calls back once when the connection has ended, whoever ended it; at once when it already has. */
  onClose(callback: () => void): void;
  /** Sends what is queued and ends the response. */
  end(): void;
  /** `end`, and a cut when the reader has not taken the rest within `ms`. One that reads gets its plain end. */
  endWithin(ms: number): void;
  /** Cuts the connection without an end. */
  destroy(): void;
}

/** Gives the memory of bytes that were written back at once: the collector would let 100 MB of it pile up. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Takes over a response whose status and headers are set. They go out with the first text, in one write, or at the end of
 * this turn when there is none yet. Readers that take nothing are cut by unread-response.ts.
 */
export function createSseResponse(response: ServerResponse): SseResponse {
  let queued = "";
  let ended = false;

  const flush = (): void => {
    scheduled = undefined;
    const text = queued;
    queued = "";
    if (text !== "" && !response.destroyed) response.write(text);
  };
  let scheduled: NodeJS.Immediate | undefined = setImmediate(() => {
    if (queued === "" && !response.destroyed) response.flushHeaders();
    flush();
  });
  const isClosed = (): boolean => response.destroyed || response.closed;
  // A write after the reader left is told here; `close` follows.
  response.on("error", () => {});
  response.on("close", () => {
    queued = "";
    clearImmediate(scheduled);
  });

  const taken = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        response.off("drain", done);
        response.off("close", done);
        resolve();
      };
      response.on("drain", done);
      response.on("close", done);
    });

  const end = (): void => {
    if (ended) return;
    ended = true;
    clearImmediate(scheduled);
    flush();
    if (!response.destroyed) response.end();
  };

  return {
    write(text) {
      if (ended || isClosed()) return;
      queued += text;
      scheduled ??= setImmediate(flush);
    },
    async writePieces(pieces) {
      for await (const piece of pieces) {
        if (ended || isClosed()) return;
        if (typeof piece === "string") queued += piece;
        if (typeof piece === "string" && queued.length < WRITE_CHARS) continue;
        clearImmediate(scheduled);
        flush();
        if (typeof piece !== "string") response.write(piece, () => release(piece));
        // Others are served between two writes, also while this reader takes all at once.
        if (response.writableNeedDrain) await taken();
        else await new Promise((resolve) => setImmediate(resolve));
      }
      if (!ended && !isClosed()) scheduled ??= setImmediate(flush);
    },
    get buffered() {
      return queued.length + response.writableLength;
    },
    get closed() {
      return isClosed();
    },
    onDrain(callback) {
      response.on("drain", callback);
    },
    onClose(callback) {
      if (isClosed()) callback();
      else response.once("close", callback);
    },
    end,
    endWithin(ms) {
      end();
      if (isClosed()) return;
      const cut = setTimeout(() => response.destroy(), ms);
      cut.unref();
      response.once("close", () => clearTimeout(cut));
    },
    destroy() {
      ended = true;
      response.destroy();
    },
  };
}
