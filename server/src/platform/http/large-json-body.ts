// The body of a LargeJsonAnswer: an envelope around pieces, paced.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { envelopeAround } from "@plumb/protocol/wire/envelope";
import { Readable } from "node:stream";

/** Text collected before a write. After each the event loop serves others, so that no task grows with the answer. */
const WRITE_CHARS = 64 * 1024;

/**
 * The envelope of a success as a stream. Resolves once the first piece is there; rejects with what the source threw
 * before it. `onFault` is told what the source throws later; the stream is then destroyed.
 */
export async function largeJsonBody(
  pieces: AsyncIterable<string>,
  { traceId, outcome, onFault }: { traceId: string; outcome: RefusalCode; onFault: (error: unknown) => void },
): Promise<Readable> {
  const source = pieces[Symbol.asyncIterator]();
  const first = await source.next();
  const [head, tail] = envelopeAround(traceId, outcome);

  async function* body(): AsyncGenerator<string, void> {
    let ended = first.done === true;
    try {
      let collected = head + (ended ? "" : String(first.value));
      while (!ended) {
        if (collected.length >= WRITE_CHARS) {
          yield collected;
          collected = "";
          await new Promise((resolve) => setImmediate(resolve));
        }
        const next = await source.next();
        if (next.done === true) ended = true;
        else collected += next.value;
      }
      yield collected + tail;
    } catch (error) {
      ended = true;
      onFault(error);
      throw error;
    } finally {
      if (!ended) await source.return?.();
    }
  }
  const stream = Readable.from(body(), { highWaterMark: 1 });
  // A stream that is destroyed before its first read never enters the generator's `finally`.
  stream.once("close", () => void source.return?.());
  return stream;
}
