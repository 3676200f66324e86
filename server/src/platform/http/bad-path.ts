import type { FastifyReply, FastifyRequest } from "fastify";
import { sendPlain } from "./send-plain.ts";

/**
 * The answer to a path that no text can be made of, such as a link that was cut within a letter: whoever opens it comes to the
 * home page, as from every path that is no page of ours.
 */
export function sendBadPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers["sec-fetch-mode"] !== "navigate") return sendPlain(reply, 400, "Bad request");
  return reply.code(302).headers({ location: "/", "cache-control": "no-store" }).send();
}
