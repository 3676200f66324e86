// Writes frames to many responses by one shared timer, so that hundreds of paced streams cost little.
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { Frame } from "./scripted-reply.ts";

const TICK_MS = 5;

export interface PacedStream {
  response: ServerResponse;
  /** Where bytes go: the response, or a compressor before it. */
  sink: Writable;
  frames: Frame[];
  paceMs: number;
  perTick: number;
  splitBytes: number;
  neverEndingFrame: Frame;
  /** Milliseconds before the first frame. */
  delayMs: number;
  onPosition(position: number): void;
}

interface Running extends PacedStream {
  next: number;
  due: number;
  held: boolean;
  pouring: boolean;
  endless: boolean;
}

/** All running streams of one upstream. */
export class ScriptedPacer {
  private readonly running = new Set<Running>();
  private timer: NodeJS.Timeout | undefined;

  /** Begins a stream; it leaves by itself when it is written or its client goes. */
  add(stream: PacedStream): void {
    const running: Running = {
      ...stream,
      next: 0,
      due: performance.now() + stream.delayMs,
      held: false,
      pouring: false,
      endless: false,
    };
    this.running.add(running);
    stream.response.on("close", () => this.remove(running));
    if (stream.paceMs === 0 && stream.delayMs === 0) void this.pour(running);
    else this.timer ??= setInterval(() => this.tick(), TICK_MS);
  }

  /** Lets all stalled streams go on. */
  release(): void {
    for (const stream of this.running) {
      if (!stream.held) continue;
      stream.held = false;
      stream.due = performance.now();
      if (stream.paceMs === 0) void this.pour(stream);
    }
  }

  /** Cuts all running streams. */
  resetAll(): void {
    for (const stream of [...this.running]) stream.response.socket?.resetAndDestroy();
  }

  private remove(stream: Running): void {
    this.running.delete(stream);
    if (this.running.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private tick(): void {
    const now = performance.now();
    for (const stream of this.running) {
      if (stream.held || stream.due > now || stream.sink.writableNeedDrain) continue;
      if (stream.paceMs === 0) {
        if (!stream.pouring) void this.pour(stream);
        continue;
      }
      // A late tick catches up, so that the mean rate is the one asked for.
      while (
        stream.due <= now &&
        !stream.held &&
        this.running.has(stream) &&
        !stream.sink.writableNeedDrain
      ) {
        stream.due += stream.paceMs;
        this.write(stream, stream.perTick);
      }
    }
  }

  /** Without pace: as fast as the socket takes it, in turns with everything else. */
  private async pour(stream: Running): Promise<void> {
    stream.pouring = true;
    while (this.running.has(stream) && !stream.held && stream.due <= performance.now()) {
      this.write(stream, 64);
      if (stream.sink.writableNeedDrain) {
        await new Promise<void>((resolve) => {
          stream.sink.once("drain", resolve);
          stream.response.once("close", resolve);
        });
      } else {
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
    stream.pouring = false;
    if (this.running.has(stream) && !stream.held) this.timer ??= setInterval(() => this.tick(), TICK_MS);
  }

  private write(stream: Running, count: number): void {
    const parts: Buffer[] = [];
    let position = 0;
    for (let left = count; left > 0; left -= 1) {
      const frame = stream.endless ? stream.neverEndingFrame : stream.frames[stream.next];
      if (frame === undefined) break;
      stream.next += 1;
      position = frame.position;
      if (frame.pause !== undefined) {
        if (frame.pause === "release") stream.held = true;
        else stream.due = performance.now() + frame.pause;
        break;
      }
      if (frame.action === "never_ending") stream.endless = true;
      else if (frame.action !== undefined) {
        this.flush(stream, parts);
        stream.onPosition(position);
        this.act(stream, frame.action);
        return;
      }
      parts.push(frame.bytes);
    }
    this.flush(stream, parts);
    if (position > 0) stream.onPosition(position);
    if (!stream.endless && stream.next >= stream.frames.length && !stream.held) {
      this.remove(stream);
      stream.sink.end();
    }
  }

  private flush(stream: Running, parts: Buffer[]): void {
    if (parts.length === 0) return;
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    if (stream.splitBytes === 0) {
      stream.sink.write(bytes);
      if ("flush" in stream.sink && typeof stream.sink.flush === "function") stream.sink.flush();
      return;
    }
    for (let start = 0; start < bytes.length; start += stream.splitBytes) {
      stream.sink.write(bytes.subarray(start, start + stream.splitBytes));
    }
  }

  private act(stream: Running, action: "reset" | "half_close" | "cut"): void {
    this.remove(stream);
    const { socket } = stream.response;
    if (action === "cut") stream.sink.end();
    // Bytes before the reset must reach the client first.
    else if (action === "reset") setTimeout(() => socket?.resetAndDestroy(), 10);
    else socket?.end();
  }
}
