// The body of a LargeJsonAnswer: an envelope around pieces, paced.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { envelopeAround } from "@plumb/protocol/wire/envelope";
import { Readable } from "node:stream";
import type { JsonPiece } from "./answers.ts";
import { begunSource } from "./begun-source.ts";

/** Text collected before a write. After each the event loop serves others, so that no task grows with the answer. */
const WRITE_CHARS = 64 * 1024;

/**
 * The envelope of a success as a stream. Resolves once the first piece is there; rejects with what the source threw
 * before it. `onFault` is told what the source throws later; the stream is then destroyed.
 */
export async function largeJsonBody(
  pieces: AsyncIterable<JsonPiece>,
  { traceId, outcome, onFault }: { traceId: string; outcome: RefusalCode; onFault: (error: unknown) => void },
): Promise<Readable> {
  const source = await begunSource(pieces);
  const [head, tail] = envelopeAround(traceId, outcome);

  async function* body(): AsyncGenerator<JsonPiece, void> {
    try {
      let collected = head;
      for await (const piece of source) {
        const isText = typeof piece === "string";
        if (isText) collected += piece;
        if (isText && collected.length < WRITE_CHARS) continue;
        if (collected !== "") yield collected;
        collected = "";
        if (!isText) yield piece;
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield collected + tail;
    } catch (error) {
      onFault(error);
      throw error;
    }
  }
  const stream = Readable.from(body(), { highWaterMark: 1 });
  // A generator that was never asked for anything does not end its source.
  stream.once("close", () => void source.return?.());
  return stream;
}
