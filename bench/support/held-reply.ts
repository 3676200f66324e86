// A reply that runs and stands still before its end, and its readers who come back.
import type { IncomingMessage } from "node:http";
import { LoadClient } from "../../e2e/support/load-client.ts";
import { startScriptedUpstream } from "../../e2e/support/scripted-upstream.ts";
import { startProductServer } from "./product-server.ts";

/** So many characters are held back. */
const HELD = 10;
const PACE_MS = 2;

export interface HeldReply {
  /** Id of the last event that was sent. */
  last: number;
  /** Milliseconds until one who comes back, with the event `from` or with nothing, has all that is known. */
  resume(from: number | null): Promise<number>;
  /** Lets the reply end, and ends the server. */
  close(): Promise<void>;
}

/** Begins a reply with this answer on a server of its own. Resolves once all but its end has been sent. */
export async function holdReply(answer: string): Promise<HeldReply> {
  const upstream = await startScriptedUpstream({
    scripts: [
      { answer, paceMs: PACE_MS, fault: { kind: "stall", at: answer.length - HELD } },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  const server = await startProductServer({ MODEL_BASE_URL: upstream.url });
  const end = async (): Promise<void> => {
    await server.close();
    await upstream.close();
  };
  try {
    const person = await LoadClient.signUp(
      () => server.origin,
      (email) => server.codeFor(email),
    );
    const sessionId = await person.createSession();
    const reader = person.send({ sessionId, prompt: "Go", limitMs: 600_000 });
    while (reader.textOf("RESPONSE").length < answer.length - HELD) {
      if (reader.end !== null) throw new Error(`The reply ended as ${reader.end}.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const last = reader.state.lastEventId;
    const body = { chat_session_id: sessionId, message_id: reader.state.responseMessageId };
    return {
      last,
      async resume(from) {
        const began = performance.now();
        const position = from === null ? {} : { "last-event-id": String(from) };
        await readTo(await person.open("/api/v0/chat/resume_stream", body, position), last);
        return performance.now() - began;
      },
      async close() {
        upstream.release();
        await reader.done;
        person.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Reads until the event `last` has come whole, and leaves. */
async function readTo(body: IncomingMessage, last: number): Promise<void> {
  let tail = "";
  for await (const part of body) {
    tail = tail.slice(-64) + (part as Buffer).toString("latin1");
    const at = tail.lastIndexOf(`id: ${last}\n`);
    if (at >= 0) tail = tail.slice(at);
    if (at >= 0 && tail.includes("\n\n")) {
      body.destroy();
      return;
    }
  }
  throw new Error(`A reader was ended before event ${last}.`);
}
