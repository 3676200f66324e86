// One response body of a reply: bytes → events, each folded into the reply (wire-contract.md §4.1, §4.9).
import { LIMITS } from "@plumb/protocol/limits";
import { createByteDecoder, type BadFrame } from "@plumb/protocol/stream/event-stream-decoder";
import { ProtocolError } from "@plumb/protocol/stream/protocol-error";
import { reduceReply, startResponse } from "@plumb/protocol/stream/reply-reducer";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";

/**
 * closed: the close event came. dropped: the body ended without it, broke off or cannot be followed any further.
 * violation: two bad events before ready; somebody else answers in the server's place.
 */
export type BodyEnd = "closed" | "dropped" | "violation";

/** An event and the reply after it. */
export interface FoldedEvent {
  event: ReceivedEvent;
  reply: ReplyState;
}

export interface BodyResult {
  end: BodyEnd;
  /** `lastEventId` is 0 when an event could not be applied: the next body must bring a snapshot. */
  reply: ReplyState;
}

export interface BodyHooks {
  /** Data came, comments included. */
  onChunk(): void;
  log(message: string, detail?: unknown): void;
}

/** Reads a body to its end; cancel it by aborting the fetch that brought it. Never rejects. */
export async function* readReplyBody(
  body: ReadableStream<Uint8Array>,
  from: ReplyState,
  { onChunk, log }: BodyHooks,
): AsyncGenerator<FoldedEvent, BodyResult, void> {
  let reply = startResponse(from);
  let ready = false;
  let bad = 0;
  let frames: (ReceivedEvent | BadFrame)[] = [];
  const decoder = createByteDecoder({
    onEvent: (event) => void frames.push(event),
    onBad: (frame) => void frames.push(frame),
  });

  /** True when there are so many that another server must be answering. */
  function isViolation(reason: string, detail: unknown): boolean {
    bad += 1;
    if (bad <= LIMITS.parseErrorsLogged) log(`bad event: ${reason}`, detail);
    return !ready && bad >= LIMITS.parseErrorsBeforeReady;
  }

  const chunks = body.getReader();
  try {
    for (;;) {
      const chunk = await readChunk(chunks, log);
      if (chunk === null) decoder.end();
      else {
        onChunk();
        decoder.push(chunk);
      }
      const received = frames;
      frames = [];
      for (const frame of received) {
        if ("reason" in frame) {
          if (isViolation(frame.reason, frame)) return { end: "violation", reply };
          if (frame.reason === "too_large") return { end: "dropped", reply };
          continue;
        }
        if (frame.type === "ready") ready = true;
        try {
          reply = reduceReply(reply, frame);
        } catch (error) {
          const reason = error instanceof ProtocolError ? "can't be applied" : "failed";
          const end = isViolation(reason, error) ? "violation" : "dropped";
          return { end, reply: { ...reply, lastEventId: 0 } };
        }
        yield { event: frame, reply };
        if (frame.type === "close") return { end: "closed", reply };
      }
      if (chunk === null) return { end: "dropped", reply };
    }
  } finally {
    // A body that broke off cannot be cancelled any more, which does no harm.
    await chunks.cancel().catch(() => undefined);
  }
}

/** The next bytes; null at the end of the body, however it came. */
async function readChunk(
  chunks: ReadableStreamDefaultReader<Uint8Array>,
  log: BodyHooks["log"],
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await chunks.read();
    return done ? null : value;
  } catch (error) {
    log("the body broke off", error);
    return null;
  }
}
