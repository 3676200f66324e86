// One request on a connection of its own, so that a balancer sends every one elsewhere; the answer as it came.
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { AnsweredText } from "../expect-envelope.ts";
import { type LiveStream, readLiveStream } from "./live-stream.ts";

export interface Exchange {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent as it is. */
  body?: string;
  /** Announced, though no such body is sent. */
  announcedBytes?: number;
}

export interface Answered extends AnsweredText {
  headers: IncomingHttpHeaders;
  /** The open event stream, when it is one; `text` is empty then. */
  stream: LiveStream | null;
}

/** Resolves with the whole answer, or with the head of an event stream. */
export async function exchange(origin: string, asked: Exchange): Promise<Answered> {
  const incoming = await head(origin, asked);
  const header = (name: string): string | null => {
    const value = incoming.headers[name];
    return value === undefined ? null : String(value);
  };
  const shared = { status: incoming.statusCode ?? 0, headers: incoming.headers, header };
  if (header("content-type")?.startsWith("text/event-stream") === true) {
    return { ...shared, text: "", stream: readLiveStream(incoming) };
  }
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return { ...shared, text: Buffer.concat(parts).toString("utf8"), stream: null };
}

function head(origin: string, asked: Exchange): Promise<IncomingMessage> {
  const { method, path, headers = {}, body, announcedBytes } = asked;
  return new Promise((resolve, reject) => {
    const length = announcedBytes ?? (body === undefined ? null : Buffer.byteLength(body));
    const outgoing = request(
      origin + path,
      {
        agent: false,
        method,
        headers: { ...headers, ...(length === null ? {} : { "content-length": String(length) }) },
      },
      resolve,
    );
    outgoing.on("error", reject);
    if (announcedBytes === undefined) outgoing.end(body);
    else outgoing.flushHeaders();
  });
}
