// Writes a reply into a resumable stream, piece by piece, and keeps it open: { url, pieces } → { written }.
import { openContext, STREAM } from "./stream-context.ts";

// The probe lets a process end that has nothing else to do; this one waits to be asked.
process.channel?.ref();
process.on("message", (message: { url?: string; pieces?: string[] }) => {
  const { url, pieces } = message;
  if (url === undefined || pieces === undefined) return;
  void write(url, pieces).then(() => process.send?.({ written: true }));
});

async function write(url: string, pieces: readonly string[]): Promise<void> {
  const { streams } = await openContext(url);
  const left = [...pieces];
  const source = (): ReadableStream<string> =>
    new ReadableStream({
      pull(controller) {
        const piece = left.shift();
        if (piece !== undefined) controller.enqueue(piece);
        // The reply goes on: it neither ends nor has more to say.
        return piece === undefined ? new Promise(() => {}) : undefined;
      },
    });
  const stream = await streams.createNewResumableStream(STREAM, source);
  if (stream === null) throw new Error("There is such a stream already.");
  const reader = stream.getReader();
  for (let read = 0; read < pieces.length; read += 1) await reader.read();
}
