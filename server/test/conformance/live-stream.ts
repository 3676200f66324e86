// An event stream read by the letter of wire-contract.md §4.1: a frame of another form is an error, not something to skip.
import type { IncomingMessage } from "node:http";
import type { Message } from "@plumb/protocol/conversation/message";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";

export interface LiveStream {
  /** Events so far. */
  readonly events: readonly ReceivedEvent[];
  /** The received text so far. */
  readonly text: string;
  /** What the events so far make, beginning with `known`. */
  state(known?: ReplyState): ReplyState;
  message(): Message;
  /** Resolves once the events fit. Rejects when the stream ends before, or has a frame of another form. */
  until(fits: (events: readonly ReceivedEvent[]) => boolean): Promise<void>;
  /** All events, once the connection has ended. */
  ended(): Promise<readonly ReceivedEvent[]>;
  /** Ends the connection. */
  cut(): void;
}

const FRAME = /^(?:id: ([1-9]\d*)\n)?(?:event: ([a-z_]+)\n)?data: ([^\n]+)$/;
const KEEP_ALIVE = ": keep-alive";

export function readLiveStream(incoming: IncomingMessage): LiveStream {
  const events: ReceivedEvent[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let rest = "";
  let over = false;
  let failure: Error | null = null;
  let wake: () => void = () => {};
  let changed = new Promise<void>((resolve) => (wake = resolve));
  const tell = (): void => {
    wake();
    changed = new Promise((resolve) => (wake = resolve));
  };

  const take = (frame: string): void => {
    if (frame === KEEP_ALIVE) return;
    const found = FRAME.exec(frame);
    if (found === null) {
      failure ??= new Error(`a frame of another form: ${JSON.stringify(frame)}`);
      return;
    }
    const [, id, event = "delta", data = ""] = found;
    events.push({
      type: event,
      data: JSON.parse(data) as unknown,
      id: id === undefined ? null : Number(id),
    } as ReceivedEvent);
  };
  incoming.on("data", (bytes: Buffer) => {
    const more = decoder.decode(bytes, { stream: true });
    text += more;
    const frames = (rest + more).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) take(frame);
    tell();
  });
  incoming.on("error", () => {});
  incoming.on("close", () => {
    over = true;
    tell();
  });

  const state = (known = emptyReply()): ReplyState => events.reduce(reduceReply, known);
  const until = async (fits: (events: readonly ReceivedEvent[]) => boolean): Promise<void> => {
    for (;;) {
      if (failure !== null) throw failure;
      if (fits(events)) return;
      if (over) throw new Error(`the stream ended before what was waited for:\n${text}`);
      await changed;
    }
  };
  return {
    events,
    get text() {
      return text;
    },
    state,
    message() {
      const { message } = state();
      if (message === null) throw new Error(`the stream brought no message:\n${text}`);
      return message;
    },
    until,
    async ended() {
      while (!over) await changed;
      if (failure !== null) throw failure;
      return events;
    },
    cut: () => incoming.destroy(),
  };
}
