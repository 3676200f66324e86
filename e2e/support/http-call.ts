// One request over kept-alive connections, cheap enough for hundreds of streams in one process.
import { Agent, type IncomingMessage, request } from "node:http";

/** The connection broke, or nobody listened: whether the server got the request is unknown. */
export class ConnectionLost extends Error {}

export interface CallOptions {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  /** Until the head of the answer, ms. */
  headLimitMs?: number;
}

const defaultHeadLimitMs = 15_000;

export function keepAliveAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: "fifo" });
}

/** Resolves with the head of the answer. Throws ConnectionLost. */
export function openCall(agent: Agent, url: string, options: CallOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = options;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(url, { agent, method, headers: { ...headers, ...length } }, (incoming) => {
      clearTimeout(timer);
      resolve(incoming);
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error("no head of an answer in time")),
      options.headLimitMs ?? defaultHeadLimitMs,
    );
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      reject(new ConnectionLost(`${method} ${url}: ${error.message}`, { cause: error }));
    });
    outgoing.end(body);
  });
}

/** Reads a body to its end as JSON. Throws ConnectionLost when it breaks off. */
export async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  try {
    for await (const part of incoming) parts.push(part as Buffer);
  } catch (error) {
    throw new ConnectionLost("the body broke off", { cause: error });
  }
  const text = Buffer.concat(parts).toString("utf8");
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`No JSON but ${JSON.stringify(text.slice(0, 500))}`, { cause: error });
  }
}
