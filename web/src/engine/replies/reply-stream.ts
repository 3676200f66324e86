// One response body of a reply: bytes → events, counting what can't be understood (wire-contract.md §4.1, §4.9).
import { LIMITS } from "@plumb/protocol/limits";
import { createByteDecoder, type BadFrame } from "@plumb/protocol/stream/event-stream-decoder";
import { ProtocolError } from "@plumb/protocol/stream/protocol-error";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";

/**
 * closed: the reply said its last word. dropped: the body ended, broke off or can't be followed any further.
 * violation: two bad events before ready; somebody else answers in the server's place.
 */
export type BodyEnd = "closed" | "dropped" | "violation";

export interface BodyReader {
  /** May throw ProtocolError: the body is then given up, to be read anew from a snapshot. */
  onEvent(event: ReceivedEvent): void;
  /** Data came, comments included. */
  onChunk(): void;
  log(message: string, detail?: unknown): void;
}

/** Reads a body to its end; cancel it by aborting the fetch that brought it. Never rejects. */
export async function readReplyBody(body: ReadableStream<Uint8Array>, reader: BodyReader): Promise<BodyEnd> {
  let ready = false;
  let bad = 0;
  let end: BodyEnd | null = null;

  const countBad = (reason: string, detail: unknown): void => {
    bad += 1;
    if (bad <= LIMITS.parseErrorsLogged) reader.log(`bad event: ${reason}`, detail);
    if (!ready && bad >= LIMITS.parseErrorsBeforeReady) end ??= "violation";
  };
  const decoder = createByteDecoder({
    onEvent(event) {
      if (end !== null) return;
      if (event.type === "ready") ready = true;
      try {
        reader.onEvent(event);
      } catch (error) {
        // The decoder's callbacks must not throw; what is no broken protocol is our own fault and as bad.
        countBad(error instanceof ProtocolError ? "can't be applied" : "failed", error);
        end ??= "dropped";
      }
      if (event.type === "close") end ??= "closed";
    },
    onBad(frame: BadFrame) {
      if (end !== null) return;
      countBad(frame.reason, frame);
      if (frame.reason === "too_large") end ??= "dropped";
    },
  });

  const chunks = body.getReader();
  try {
    while (end === null) {
      const { done, value } = await chunks.read();
      if (done) break;
      reader.onChunk();
      decoder.push(value);
    }
  } catch (error) {
    reader.log("the body broke off", error);
  }
  decoder.end();
  // A body that broke off can't be cancelled any more, which is as good.
  await chunks.cancel().catch(() => undefined);
  return end ?? "dropped";
}
