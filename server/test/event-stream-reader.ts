// Reads a reply's event stream as a client does: events one by one, and the reply folded from them.
import { createByteDecoder } from "@plumb/protocol/stream/event-stream-decoder";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";

export interface EventStreamReader {
  readonly response: Response;
  /** All events so far. */
  readonly events: ReceivedEvent[];
  /** Comments so far, such as keep-alives. */
  readonly comments: string[];
  /** Everything received, as text. */
  readonly text: () => string;
  /** The first event, from the beginning, that fits. Rejects when the stream ends without one. */
  waitFor(fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  waitForType<T extends ReceivedEvent["type"]>(type: T): Promise<Extract<ReceivedEvent, { type: T }>>;
  /** Resolves with all events when the connection has ended, by the server or by a cut. */
  ended: Promise<ReceivedEvent[]>;
  /** Cuts the connection. */
  close(): Promise<void>;
}

/** Starts reading at once. A frame that is no valid event fails the reader. */
export function readEventStream(response: Response, cut: AbortController): EventStreamReader {
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  const received = new TextDecoder();
  let text = "";
  let over = false;
  let failure: Error | null = null;
  const watchers = new Set<() => void>();
  const wakeAll = (): void => {
    for (const watcher of [...watchers]) watcher();
  };

  const decoder = createByteDecoder({
    onEvent: (event) => events.push(event),
    onBad: (frame) => {
      failure = new Error(`bad frame: ${frame.reason} (${frame.event ?? "unknown event"})`);
    },
    onComment: (comment) => comments.push(comment),
  });

  const ended = (async () => {
    try {
      for await (const bytes of response.body ?? []) {
        text += received.decode(bytes, { stream: true });
        decoder.push(bytes);
        wakeAll();
      }
      decoder.end();
    } catch (error) {
      // A cut connection is an end, too; the events show whether the reply was whole.
      if (!(error instanceof Error)) throw error;
    } finally {
      over = true;
      wakeAll();
    }
    if (failure !== null) throw failure;
    return events;
  })();
  // A failure is thrown to those who wait for an event.
  ended.catch(() => {});

  const waitFor = (fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = events.find(fits);
        if (found === undefined && failure === null && !over) return;
        watchers.delete(look);
        if (found !== undefined) resolve(found);
        else reject(failure ?? new Error(`the stream ended without the event; it had:\n${text}`));
      };
      watchers.add(look);
      look();
    });

  return {
    response,
    events,
    comments,
    text: () => text,
    waitFor,
    waitForType: async <T extends ReceivedEvent["type"]>(type: T) =>
      (await waitFor((event) => event.type === type)) as Extract<ReceivedEvent, { type: T }>,
    ended,
    async close() {
      cut.abort();
      await ended;
    },
  };
}
