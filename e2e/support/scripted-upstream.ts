// A real model server with the OpenAI-compatible API that does what a script says.
// In the process: startScriptedUpstream(). As a process: `node e2e/support/scripted-upstream.ts --port 0`
// prints {"url":"http://…/v1"} as its first line; POST /__control and GET /__requests drive it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";
import { ScriptedPacer } from "./scripted-pacer.ts";
import { fullReply, replyFrames, replyUsage, type Frame } from "./scripted-reply.ts";
import {
  readCall,
  scriptMatches,
  type CallKind,
  type ChatBody,
  type ReadCall,
  type Script,
} from "./scripted-script.ts";

/** What one call brought and what became of it. Positions are characters of reasoning + answer. */
export interface RecordedRequest {
  id: number;
  at: number;
  kind: CallKind;
  model: string;
  question: string;
  messages: ChatBody["messages"];
  /** The other fields of the body. */
  parameters: Record<string, unknown>;
  /** Without authorization; `authorized` says whether there was one. */
  headers: Record<string, string>;
  authorized: boolean;
  /** How far the reply has been written. */
  position: number;
  state: "running" | "finished" | "aborted_by_client" | "broken_by_script" | "refused";
}

export interface ScriptedModel {
  id: string;
  max_model_len?: number;
  owned_by?: string;
}

export interface ControlRequest {
  /** Forget scripts (and, with `requests`, what was recorded) before adding the new ones. */
  reset?: boolean;
  requests?: "clear";
  scripts?: Script[];
  models?: ScriptedModel[];
  /** Every request, also /v1/models, is answered so until set to null. */
  down?: { status: number } | null;
  release?: boolean;
  resetAll?: boolean;
}

export interface ScriptedUpstream {
  /** Base address for MODEL_BASE_URL, ending in /v1. */
  url: string;
  /** Calls of chat/completions in order of arrival. */
  requests: RecordedRequest[];
  script(...scripts: Script[]): void;
  control(request: ControlRequest): void;
  /** Lets stalled streams go on. */
  release(): void;
  /** The whole undisturbed answer to a question under the scripts of now (counted ones left aside). */
  expected(question: string): { reasoning: string; answer: string };
  close(): Promise<void>;
}

export interface ScriptedUpstreamOptions {
  port?: number;
  host?: string;
  scripts?: Script[];
  models?: ScriptedModel[];
  /** Older records are dropped beyond this number (default 10,000). */
  keepRequests?: number;
}

/** What a body without end goes on with. */
function endlessPiece({ fault }: Script): string {
  if (fault?.kind === "huge_line") return "a".repeat(65_536);
  if (fault?.kind === "endless_comments") return ": still here\n\n";
  const chars = fault?.kind === "never_ending" ? (fault.chars ?? 1000) : 1000;
  return `data: {"choices":[{"index":0,"delta":{"content":"${"x".repeat(chars)}"}}]}\n\n`;
}

const DEFAULT_SCRIPT: Script = {};
const FRAME_CACHE = 256;

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8") || "{}");
}

function isChatBody(body: unknown): body is ChatBody {
  return (
    typeof body === "object" && body !== null && Array.isArray((body as { messages?: unknown }).messages)
  );
}

/** Starts the upstream, on a free port of 127.0.0.1 by default. */
export async function startScriptedUpstream(
  options: ScriptedUpstreamOptions = {},
): Promise<ScriptedUpstream> {
  const pacer = new ScriptedPacer();
  const requests: RecordedRequest[] = [];
  const cache = new Map<string, Frame[]>();
  const keep = options.keepRequests ?? 10_000;
  let scripts: { script: Script; left: number }[] = [];
  let models = options.models ?? [{ id: "scripted-model", owned_by: "scripted" }];
  let down: { status: number } | null = null;
  let lastId = 0;

  const script = (...added: Script[]): void => {
    for (const one of added) scripts.push({ script: one, left: one.times ?? Infinity });
    cache.clear();
  };
  script(...(options.scripts ?? []));

  function choose(call: ReadCall, model: string, counted: boolean): Script {
    const fitting = scripts.filter((entry) => entry.left > 0 && scriptMatches(entry.script, call, model));
    const entry =
      (counted ? fitting.find((one) => one.left !== Infinity) : undefined) ??
      fitting.findLast((one) => one.left === Infinity);
    if (entry) entry.left -= 1;
    return entry?.script ?? DEFAULT_SCRIPT;
  }

  function framesOf(chosen: Script, call: ReadCall, body: ChatBody): Frame[] {
    const full = fullReply(chosen, call, body);
    if (call.kind === "continuation") return replyFrames(chosen, call, full);
    const key = JSON.stringify([chosen, full]);
    const known = cache.get(key);
    if (known) return known;
    const frames = replyFrames(chosen, call, full);
    if (cache.size >= FRAME_CACHE) cache.clear();
    cache.set(key, frames);
    return frames;
  }

  function record(request: IncomingMessage, body: ChatBody, call: ReadCall): RecordedRequest {
    const { messages, ...parameters } = body;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (name !== "authorization") headers[name] = String(value);
    }
    const entry: RecordedRequest = {
      id: (lastId += 1),
      at: Date.now(),
      kind: call.kind,
      model: body.model ?? "",
      question: call.question,
      messages,
      parameters,
      headers,
      authorized: request.headers.authorization !== undefined,
      position: 0,
      state: "running",
    };
    requests.push(entry);
    if (requests.length > keep) requests.shift();
    return entry;
  }

  function refuse(response: ServerResponse, refusal: NonNullable<Script["refusal"]>): void {
    const failure = { error: { message: "scripted refusal", type: "server_error", code: null } };
    switch (refusal.kind) {
      case "http":
        return json(response, refusal.status, refusal.body ?? failure, refusal.headers);
      case "json_200":
        return json(response, 200, refusal.body ?? failure);
      case "wrong_content_type":
        response.writeHead(200, { "content-type": refusal.contentType ?? "text/html" });
        response.end(refusal.body ?? "<!doctype html><title>Sign in to the network</title>");
        return;
      case "reset":
        response.socket?.resetAndDestroy();
        return;
      case "endless_headers": {
        const { socket } = response;
        socket?.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => socket?.write(`x-more: ${"a".repeat(1000)}\r\n`), 1);
        socket?.on("close", () => clearInterval(timer));
        socket?.on("error", () => clearInterval(timer));
        return;
      }
      case "silent":
        return;
    }
  }

  async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (!isChatBody(body)) {
      return json(response, 400, {
        error: { message: "messages are missing", type: "invalid_request_error" },
      });
    }
    const call = readCall(body);
    const chosen = choose(call, body.model ?? "", true);
    const entry = record(request, body, call);
    if (chosen.refusal) {
      entry.state = "refused";
      return refuse(response, chosen.refusal);
    }
    if (body.stream !== true) {
      const full = fullReply(chosen, call, body);
      entry.position = full.reasoning.length + full.answer.length;
      entry.state = "finished";
      const message = { role: "assistant", content: full.answer, reasoning_content: full.reasoning };
      return json(response, 200, {
        id: "chatcmpl-scripted",
        object: "chat.completion",
        model: body.model,
        choices: [{ index: 0, message, finish_reason: chosen.finishReason ?? "stop" }],
        usage: replyUsage(call, full),
      });
    }
    const frames = framesOf(chosen, call, body);
    const breaking = frames.some((frame) => frame.action === "reset" || frame.action === "half_close");
    response.on("close", () => {
      if (response.writableFinished) entry.state = "finished";
      else
        entry.state =
          breaking && entry.position >= (chosen.fault?.at ?? 0) ? "broken_by_script" : "aborted_by_client";
    });
    const headers: Record<string, string> = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
    };
    if (chosen.gzip) headers["content-encoding"] = "gzip";
    response.writeHead(200, headers);
    response.flushHeaders();
    const gzip = chosen.gzip === true ? createGzip() : undefined;
    gzip?.pipe(response);
    pacer.add({
      response,
      sink: gzip ?? response,
      frames,
      paceMs: chosen.paceMs ?? 0,
      perTick: chosen.perTick ?? 1,
      splitBytes: chosen.splitBytes ?? 0,
      delayMs: chosen.firstChunkMs ?? 0,
      neverEndingFrame: {
        bytes: Buffer.from(endlessPiece(chosen)),
        position: frames.at(-1)?.position ?? 0,
      },
      onPosition: (position) => {
        entry.position = position;
      },
    });
  }

  function control(request: ControlRequest): void {
    if (request.reset) scripts = [];
    if (request.reset) cache.clear();
    if (request.requests === "clear") requests.length = 0;
    if (request.models) models = request.models;
    if (request.down !== undefined) down = request.down;
    script(...(request.scripts ?? []));
    if (request.release) pacer.release();
    if (request.resetAll) pacer.resetAll();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?")[0];
    if (path === "/__control") {
      control((await readBody(request)) as ControlRequest);
      return json(response, 200, { ok: true });
    }
    if (path === "/__requests") return json(response, 200, requests);
    if (down)
      return json(response, down.status, { error: { message: "scripted: down", type: "server_error" } });
    if (path === "/v1/models") {
      const data = models.map((model) => ({ object: "model", created: 1700000000, ...model }));
      return json(response, 200, { object: "list", data });
    }
    if (path === "/v1/chat/completions" && request.method === "POST") return chat(request, response);
    json(response, 404, { error: { message: "no such path", type: "invalid_request_error" } });
  }

  const server: Server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent)
        json(response, 400, { error: { message: String(error), type: "invalid_request_error" } });
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script,
    control,
    release: () => pacer.release(),
    expected(question) {
      const call: ReadCall = {
        kind: "answer",
        question,
        prefix: { reasoning: "", answer: "", tagged: false },
      };
      return fullReply(choose(call, "", false), call);
    },
    async close() {
      pacer.resetAll();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

if (import.meta.main) {
  const argument = process.argv.indexOf("--port");
  const port = argument < 0 ? 0 : Number(process.argv[argument + 1]);
  const upstream = await startScriptedUpstream({ port });
  process.stdout.write(
    `${JSON.stringify({ url: upstream.url, port: Number(new URL(upstream.url).port) })}\n`,
  );
  const end = (): void => void upstream.close().then(() => process.exit(0));
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}
