// A reply that runs and stands still before its end, and its readers who come back.
import type { IncomingMessage } from "node:http";
import { LoadClient } from "../../e2e/support/load-client.ts";
import { startScriptedUpstream } from "../../e2e/support/scripted-upstream.ts";
import { type ProductServer, startProductServer } from "./product-server.ts";

/** So many characters are held back. */
const HELD = 10;
const PACE_MS = 2;

export interface HeldReply {
  /** Id of the last event that was sent. */
  last: number;
  /** What it has said until then. */
  text: string;
  server: ProductServer;
  /** The call by which its person comes back. */
  call: { path: string; headers: Record<string, string>; body: string };
  /** Milliseconds until one who comes back, with the event `from` or with nothing, has all that is known. */
  resume(from: number | null): Promise<number>;
  /** The answer to one who comes back with nothing, as it is sent. */
  read(): Promise<string>;
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
    const path = "/api/v0/chat/resume_stream";
    const body = { chat_session_id: sessionId, message_id: reader.state.responseMessageId };
    const headers = { authorization: `Bearer ${person.token}`, "content-type": "application/json" };
    return {
      last,
      text: reader.textOf("RESPONSE"),
      server,
      call: { path, headers, body: JSON.stringify(body) },
      async resume(from) {
        const began = performance.now();
        const position = from === null ? {} : { "last-event-id": String(from) };
        await readTo(await person.open(path, body, position), last);
        return performance.now() - began;
      },
      read: async () => readTo(await person.open(path, body), last),
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

/** Reads until the event `last` has come whole, and leaves. Returns what came. */
async function readTo(body: IncomingMessage, last: number): Promise<string> {
  const parts: string[] = [];
  let tail = "";
  for await (const part of body) {
    parts.push((part as Buffer).toString("utf8"));
    tail = tail.slice(-64) + (part as Buffer).toString("latin1");
    const at = tail.lastIndexOf(`id: ${last}\n`);
    if (at >= 0) tail = tail.slice(at);
    if (at >= 0 && tail.includes("\n\n")) {
      body.destroy();
      return parts.join("");
    }
  }
  throw new Error(`A reader was ended before event ${last}.`);
}
