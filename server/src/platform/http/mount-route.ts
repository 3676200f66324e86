// One route on the server: its checks in order, its body, its handler, its answer.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ByteSource } from "./body-reader.ts";
import { bodyLimitsOf, checkCaller, checkRequest, type RawRequest } from "./check-order.ts";
import type { Gatekeepers } from "./gatekeepers.ts";
import type { LargeAnswers } from "./large-answers.ts";
import type { RequestContext } from "./request-context.ts";
import { methodsOf, type Route } from "./route.ts";
import { sendAnswer, sendError } from "./send-answer.ts";

export function mountRoute(
  server: FastifyInstance,
  route: Route,
  { gates, largeAnswers }: { gates: Gatekeepers; largeAnswers: LargeAnswers },
): void {
  const { call, policy } = route;
  const limits = bodyLimitsOf(route);
  server.route({
    method: methodsOf(route),
    url: call.path,
    config: { bodyMs: limits.ms },
    errorHandler: (error, request, reply) =>
      void sendError(reply, error, contextOf(request), call, policy.leadsTo),
    async onRequest(request) {
      request.plumb = await checkCaller(route, contextOf(request), gates);
    },
    async handler(request, reply) {
      const context = contextOf(request);
      const body = request.incomingBody;
      const read = async (): Promise<RawRequest> => {
        if (call.method === "GET") return { query: request.query as Record<string, string> };
        return { body: "streamed" in limits ? null : ((await body?.read(limits.bytes)) ?? null) };
      };
      const parsed = await checkRequest(route, context, await read(), gates);
      const result =
        "streamed" in limits && body !== null
          ? await body.stream(limits, (source) => route.handler(context, parsed, source))
          : await route.handler(context, parsed, nothing);
      return sendAnswer(request, reply, route, context, result, largeAnswers);
    },
  });
}

/** The context that the first hook made. */
export function contextOf(request: FastifyRequest): RequestContext {
  if (request.plumb === null) throw new Error("a request came without its context");
  return request.plumb;
}

const nothing: ByteSource = { readInto: async () => 0 };
