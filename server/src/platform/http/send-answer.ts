// Writes what a handler answered, by its kind.
import type { Call } from "@plumb/protocol/wire/call";
import { type Envelope, envelopeFor } from "@plumb/protocol/wire/envelope";
import { ContentType } from "@plumb/protocol/wire/headers";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  Answer,
  type AnswerKind,
  DownloadAnswer,
  LargeJsonAnswer,
  PlainAnswer,
  RedirectAnswer,
  StreamAnswer,
} from "./answers.ts";
import { networkOf } from "../network-of.ts";
import { gzipped, gzippedText, LONG_CHARS, takesGzip } from "./compressed-body.ts";
import { answerError } from "./error-handler.ts";
import type { LargeAnswers } from "./large-answers.ts";
import { largeJsonBody } from "./large-json-body.ts";
import { firstOf, type RequestContext } from "./request-context.ts";
import { answerKindsOf, type Policy, type Route } from "./route.ts";
import { sendDownload } from "./send-download.ts";
import { eventStreamHeaders } from "./sse-response.ts";

const jsonHeaders = { "content-type": ContentType.Json, "cache-control": "no-store" } as const;

/**
 * Sends `result`, what a handler returned. Throws where the route has not declared its kind, and 42903 over the count of
 * answers whose size a user chooses.
 */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  context: RequestContext,
  result: unknown,
  largeAnswers: LargeAnswers,
): Promise<FastifyReply> {
  const { call } = route;
  const kind = kindOf(result);
  if (!answerKindsOf(route).includes(kind)) {
    throw new Error(`${call.method} ${call.path} answered with ${kind}, which it does not declare`);
  }
  if (result instanceof StreamAnswer) return sendStream(reply, result);
  if (result instanceof RedirectAnswer) return sendRedirect(reply, result);
  if (result instanceof LargeJsonAnswer || result instanceof DownloadAnswer) {
    largeAnswers.open(context.user?.id ?? networkOf(context.ip), reply.raw);
  }
  if (result instanceof DownloadAnswer) return sendDownload(request, reply, context, result);
  if (result instanceof LargeJsonAnswer) {
    const body = await largeJsonBody(result.pieces, {
      traceId: context.traceId,
      outcome: result.outcome,
      onFault: (error) => context.log.error({ err: error }, "a large answer could not be finished"),
    });
    reply.headers(jsonHeaders);
    if (!takesGzip(firstOf(context.headers["accept-encoding"]))) return reply.send(body);
    return reply.header("content-encoding", "gzip").send(gzipped(body));
  }
  if (result instanceof PlainAnswer) {
    return reply.code(result.status).headers(result.headers).send(result.body);
  }
  if (result instanceof Answer) {
    const envelope = envelopeFor(call, context.traceId, result.data, result.outcome);
    return sendSuccess(reply.headers(result.headers), context, envelope);
  }
  return sendSuccess(reply, context, envelopeFor(call, context.traceId, result));
}

/** The answer to whatever was thrown. `call` null = no call was reached. `leadsTo`: see Policy. */
export function sendError(
  reply: FastifyReply,
  error: unknown,
  context: RequestContext,
  call: Call | null,
  leadsTo?: Policy["leadsTo"],
): FastifyReply {
  const { status, headers, envelope } = answerError(error, context, call);
  if (leadsTo !== undefined && status >= 429) return sendRedirect(reply.headers(headers), leadsTo(envelope));
  // Of a large answer that failed before any of it was sent.
  reply.removeHeader("content-encoding");
  return sendEnvelope(reply.headers(headers), status, envelope);
}

async function sendSuccess(
  reply: FastifyReply,
  context: RequestContext,
  envelope: Envelope,
): Promise<FastifyReply> {
  const text = JSON.stringify(envelope);
  reply.headers(jsonHeaders);
  if (text.length < LONG_CHARS || !takesGzip(firstOf(context.headers["accept-encoding"]))) {
    return reply.send(text);
  }
  const compressed = await gzippedText(text);
  return reply.header("content-encoding", "gzip").send(compressed);
}

/** Nothing in an envelope is anyone else's to keep. */
function sendEnvelope(reply: FastifyReply, status: number, envelope: Envelope): FastifyReply {
  return reply.code(status).headers(jsonHeaders).send(JSON.stringify(envelope));
}

function kindOf(result: unknown): AnswerKind {
  const named = [StreamAnswer, LargeJsonAnswer, DownloadAnswer, RedirectAnswer, PlainAnswer].some(
    (answer) => result instanceof answer,
  );
  return named ? (result as { kind: AnswerKind }).kind : "json";
}

function sendRedirect(reply: FastifyReply, { location, cookies }: RedirectAnswer): FastifyReply {
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  return reply.header("cache-control", "no-store").redirect(location, 302);
}

function sendStream(reply: FastifyReply, result: StreamAnswer): FastifyReply {
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const response = reply.raw;
  if (response.destroyed) return reply;
  response.writeHead(200, {
    ...headers,
    ...eventStreamHeaders,
  });
  result.start(response);
  return reply;
}
