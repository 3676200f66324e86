import type { FastifyReply } from "fastify";

/** An answer of one line to whoever asked for a page or a file that is not there. Nobody keeps it. */
export function sendPlain(reply: FastifyReply, status: number, line: string): FastifyReply {
  return reply
    .code(status)
    .headers({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .send(`${line}\n`);
}
