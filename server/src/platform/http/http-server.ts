// Fastify as this product uses it: routes as data, checked in one order, answered in one envelope.
import type { ServerResponse } from "node:http";
import { Global } from "@plumb/protocol/wire/global-codes";
import { ResponseHeader } from "@plumb/protocol/wire/headers";
import { readQuery } from "@plumb/protocol/wire/json";
import type { Edition } from "@plumb/protocol/rules/edition-rules";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { newHexId } from "../ids.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { GlobalRefusal } from "../refusal.ts";
import { sendBadPath } from "./bad-path.ts";
import { jsonBody } from "./body-limits.ts";
import { answerError } from "./error-handler.ts";
import { checkRoutes } from "./check-routes.ts";
import { answerClientError } from "./client-error.ts";
import { limitConnections } from "./connection-limits.ts";
import type { Gatekeepers } from "./gatekeepers.ts";
import { answerCrossOrigin } from "./cross-origin.ts";
import { defaultHttpLimits, type HttpLimits } from "./http-limits.ts";
import type { IncomingBody } from "./incoming-body.ts";
import { LargeAnswers } from "./large-answers.ts";
import { malformedPart } from "./malformed-request.ts";
import { contextOf, mountRoute } from "./mount-route.ts";
import { createRequestContext, type RequestContext } from "./request-context.ts";
import { methodsOf, type Route } from "./route.ts";
import { commonHeaders } from "./security-headers.ts";
import { sendError } from "./send-answer.ts";
import { sendPlain } from "./send-plain.ts";
import { cutWhenUnread } from "./unread-response.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null only before the first hook has run. */
    plumb: RequestContext | null;
    /** Null only before the first hook has run. */
    incomingBody: IncomingBody | null;
  }
  interface FastifyContextConfig {
    /** Time for the body, in ms; a path without a route has that of JSON. */
    bodyMs?: number;
  }
}

/**
 * "draining": each answer is the last of its connection, so that callers who keep theirs come to another process.
 * "stopping": answers that began before that end their connections, too.
 */
export type Phase = "serving" | "draining" | "stopping";

export interface HttpServerOptions {
  edition: Edition;
  /** The address people use; null = as the caller says. */
  publicUrl: string | null;
  trustedProxies: readonly string[];
  /** Other origins whose pages may call the API. */
  allowedOrigins?: readonly string[];
  routes: readonly Route[];
  gates: Gatekeepers;
  log: Logger;
  metrics: Metrics;
  limits?: Partial<HttpLimits>;
  phase?: () => Phase;
}

type NotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * A server with the routes mounted. Throws when a route does not say how it is guarded. `mountRest` may add what is no
 * call, such as pages, and returns the answer to the paths outside the API that nothing else answers.
 */
export async function createHttpServer(
  options: HttpServerOptions,
  mountRest: (server: FastifyInstance) => Promise<NotFound>,
): Promise<FastifyInstance> {
  const {
    edition,
    publicUrl,
    trustedProxies,
    allowedOrigins = [],
    routes,
    gates,
    log,
    metrics,
    limits: given,
  } = options;
  const { phase = () => "serving" } = options;
  checkRoutes(routes);
  const limits: HttpLimits = { ...defaultHttpLimits, ...given };
  const headers = commonHeaders(publicUrl);
  const server = Fastify({
    logger: false,
    genReqId: newHexId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    // A request that comes in while the server closes is still answered.
    return503OnClosing: false,
    // Each body has a time of its own (incoming-body.ts), an upload half an hour.
    requestTimeout: 0,
    keepAliveTimeout: limits.betweenRequestsMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: 1000 },
    clientErrorHandler: answerClientError,
    routerOptions: { querystringParser: (text) => readQuery(new URLSearchParams(text)) },
    // A path that cannot be decoded is a call nobody has.
    frameworkErrors: (_error, request, reply) => {
      const context = createRequestContext(request, edition, log);
      reply.headers({ ...headers, [ResponseHeader.TraceId]: context.traceId });
      if (isOfApi(pathOf(request.url))) sendError(reply, new GlobalRefusal(Global.NotFound), context, null);
      else sendBadPath(request, reply);
    },
  });
  const connections = limitConnections(server.server, { limits, trustedProxies });
  server.addHook("onClose", async () => connections.close());

  server.decorateRequest("plumb", null);
  server.decorateRequest("incomingBody", null);
  server.addHook("onRequest", async (request, reply) => {
    const context = createRequestContext(request, edition, log);
    request.plumb = context;
    reply.headers({ ...headers, [ResponseHeader.TraceId]: request.id });
    if (phase() !== "serving") reply.header("connection", "close");
    endWithAnswer(reply.raw, phase);
    cutWhenUnread(reply.raw, limits.unreadMs);
    const body = connections.bodyOf(request.raw, {
      ip: context.ip,
      ms: request.routeOptions.config.bodyMs ?? jsonBody.ms,
    });
    request.incomingBody = body;
    reply.raw.once("finish", () => body.answered());
    // Fastify refuses malformed content types; ours are not looked at.
    request.raw.headers["content-type"] = "application/octet-stream";

    const { origin } = request.headers;
    const foreign = !isOfApi(pathOf(request.url))
      ? null
      : answerCrossOrigin(allowedOrigins, {
          method: request.method,
          origin,
          wantedMethod: request.headers["access-control-request-method"],
        });
    if (foreign !== null) reply.headers(foreign.headers);

    const malformed = malformedPart(request, context.ip);
    if (malformed === null) return foreign?.isPreflight === true ? reply.code(204).send() : undefined;
    if (!isOfApi(pathOf(request.url))) return sendPlain(reply, 400, "Bad request");
    throw new GlobalRefusal(Global.InvalidParams, { detail: [malformed] });
  });
  server.addHook("onResponse", async (request, reply) => {
    const path = request.routeOptions.url ?? "other";
    metrics.countRequest(request.method, path, reply.statusCode);
    log.debug(
      { trace: request.id, method: request.method, path, status: reply.statusCode, ms: reply.elapsedTime },
      "answered",
    );
  });

  // Fastify reads no body: the routes do, after their first checks (mount-route.ts).
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, _payload, done) => done(null));

  server.setErrorHandler((error, request, reply) => {
    const context = contextOf(request);
    if (isOfApi(pathOf(request.url))) return sendError(reply, error, context, null);
    const { status, headers: when } = answerError(error, context, null);
    return sendPlain(reply.headers(when), status, "This cannot be served");
  });
  const largeAnswers = new LargeAnswers(limits.largeAnswersPerCaller);
  for (const route of routes) mountRoute(server, route, { gates, largeAnswers });

  const rest = await mountRest(server);
  const allowedAt = (path: string) => routes.filter(({ call }) => call.path === path).flatMap(methodsOf);
  server.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const allowed = allowedAt(path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      return sendError(reply, new GlobalRefusal(Global.MethodNotAllowed), contextOf(request), null);
    }
    if (path === "/metrics" || isOfApi(path)) {
      return sendError(reply, new GlobalRefusal(Global.NotFound), contextOf(request), null);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return sendPlain(reply.header("allow", "GET, HEAD"), 405, "Method not allowed");
    }
    return rest(request, reply);
  });
  return server;
}

/** A stream that is handed over is resumed at once: not over the connection that led here. */
function endWithAnswer(response: ServerResponse, phase: () => Phase): void {
  const { socket } = response;
  response.once("finish", () => {
    if (phase() === "stopping") socket?.destroySoon();
  });
}

function pathOf(url: string): string {
  return url.split("?")[0] ?? "";
}

/** Everything below /api is answered in the envelope, also what is not there. */
function isOfApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}
