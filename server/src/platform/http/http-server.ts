// Fastify as this product uses it: routes as data, checked in one order, answered in one envelope.
import type { Call } from "@plumb/protocol/wire/call";
import { Global } from "@plumb/protocol/wire/global-codes";
import { ResponseHeader } from "@plumb/protocol/wire/headers";
import { readQuery } from "@plumb/protocol/wire/json";
import type { Edition } from "@plumb/protocol/rules/edition-rules";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { newHexId } from "../ids.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { GlobalRefusal } from "../refusal.ts";
import { bodyLimitOf, checkCaller, checkRequest } from "./check-order.ts";
import { checkRoutes } from "./check-routes.ts";
import { answerError } from "./error-handler.ts";
import type { Gatekeepers } from "./gatekeepers.ts";
import { defaultHttpLimits, type HttpLimits } from "./http-limits.ts";
import { LargeAnswers } from "./large-answers.ts";
import { createRequestContext, type RequestContext } from "./request-context.ts";
import type { Route } from "./route.ts";
import { sendAnswer, sendEnvelope } from "./send-answer.ts";
import { sendPlain } from "./send-plain.ts";
import { cutWhenUnread } from "./unread-response.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null only before the first hook has run. */
    plumb: RequestContext | null;
  }
}

export interface HttpServerOptions {
  edition: Edition;
  trustedProxies: readonly string[];
  routes: readonly Route[];
  gates: Gatekeepers;
  log: Logger;
  metrics: Metrics;
  /** Smaller ones in tests. */
  limits?: Partial<HttpLimits>;
}

type NotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Headers of every response (wire-contract.md §1.3). */
const commonHeaders = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" } as const;

/**
 * A server with the routes mounted. Throws when a route does not say how it is guarded. `mountRest` may add what is no
 * call, such as pages, and returns the answer to the paths outside the API that nothing else answers.
 */
export async function createHttpServer(
  { edition, trustedProxies, routes, gates, log, metrics, limits: ownLimits }: HttpServerOptions,
  mountRest: (server: FastifyInstance) => Promise<NotFound>,
): Promise<FastifyInstance> {
  checkRoutes(routes);
  const limits: HttpLimits = { ...defaultHttpLimits, ...ownLimits };
  const largeAnswers = new LargeAnswers(limits.largeAnswersPerCaller);
  const server = Fastify({
    logger: false,
    genReqId: newHexId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    // A request that comes in while the server closes is still answered.
    return503OnClosing: false,
    requestTimeout: 120_000,
    keepAliveTimeout: 72_000,
    routerOptions: { querystringParser: (text) => readQuery(new URLSearchParams(text)) },
    // A path that cannot be decoded is a call nobody has, and no page.
    frameworkErrors: (_error, request, reply) => {
      const context = createRequestContext(request, edition, log);
      reply.headers({ ...commonHeaders, [ResponseHeader.TraceId]: context.traceId });
      if (isOfApi(pathOf(request.url))) sendError(reply, new GlobalRefusal(Global.NotFound), context, null);
      else sendPlain(reply, 400, "Bad request");
    },
  });

  server.decorateRequest("plumb", null);
  server.addHook("onRequest", async (request, reply) => {
    request.plumb = createRequestContext(request, edition, log);
    cutWhenUnread(reply.raw, limits.unreadMs);
    reply.headers({ ...commonHeaders, [ResponseHeader.TraceId]: request.id });
  });
  server.addHook("onResponse", async (request, reply) => {
    const path = request.routeOptions.url ?? "other";
    metrics.countRequest(request.method, path, reply.statusCode);
    log.debug(
      { trace: request.id, method: request.method, path, status: reply.statusCode, ms: reply.elapsedTime },
      "answered",
    );
  });

  // Bodies are JSON whatever their Content-Type says (wire-contract.md §1.7); the checks parse them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  server.setErrorHandler((error, request, reply) => sendError(reply, error, contextOf(request), null));
  for (const route of routes) mount(server, route, { gates, largeAnswers });

  const rest = await mountRest(server);
  const methodsOf = (path: string) =>
    routes.filter(({ call }) => call.path === path).map(({ call }) => call.method);
  server.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const allowed = methodsOf(path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      return sendError(reply, new GlobalRefusal(Global.MethodNotAllowed), contextOf(request), null);
    }
    if (path === "/metrics" || isOfApi(path)) {
      return sendError(reply, new GlobalRefusal(Global.NotFound), contextOf(request), null);
    }
    return rest(request, reply);
  });
  return server;
}

function pathOf(url: string): string {
  return url.split("?")[0] ?? "";
}

/** Everything below /api is answered in the envelope, also what is not there. */
function isOfApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function mount(
  server: FastifyInstance,
  route: Route,
  { gates, largeAnswers }: { gates: Gatekeepers; largeAnswers: LargeAnswers },
): void {
  const { call } = route;
  server.route({
    method: call.method,
    url: call.path,
    bodyLimit: bodyLimitOf(route),
    errorHandler: (error, request, reply) => void sendError(reply, error, contextOf(request), call),
    async onRequest(request) {
      // Fastify refuses malformed content types; ours are not looked at.
      request.raw.headers["content-type"] = "application/octet-stream";
      request.plumb = await checkCaller(route, contextOf(request), gates);
    },
    async handler(request, reply) {
      const context = contextOf(request);
      const raw =
        call.method === "GET"
          ? { query: request.query as Record<string, string> }
          : { body: request.body instanceof Uint8Array ? request.body : null };
      const parsed = await checkRequest(route, context, raw, gates);
      return sendAnswer(reply, route, context, await route.handler(context, parsed), largeAnswers);
    },
  });
}

function sendError(
  reply: FastifyReply,
  error: unknown,
  context: RequestContext,
  call: Call | null,
): FastifyReply {
  const { status, headers, envelope } = answerError(error, context, call);
  return sendEnvelope(reply.headers(headers), status, envelope);
}

function contextOf(request: FastifyRequest): RequestContext {
  if (request.plumb === null) throw new Error("a request came without its context");
  return request.plumb;
}
