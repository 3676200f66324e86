// A download: the whole, or the one range that was asked for, so that a client can go on where it was cut off.
import { create as contentDisposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import type { DownloadAnswer, DownloadFile } from "./answers.ts";
import { begunSource } from "./begun-source.ts";
import type { RequestContext } from "./request-context.ts";

interface ByteRange {
  /** Both included. */
  start: number;
  end: number;
}

/**
 * Sends 200, 206, or 416 for a range outside the bytes. Several ranges at once are answered with the whole. Rejects with
 * what the source throws before its first bytes; after them the connection is cut.
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { log }: Pick<RequestContext, "log">,
  { file, headers }: DownloadAnswer,
): Promise<FastifyReply> {
  const range = rangeOf(request, file);
  if (range === "outside") {
    return reply
      .code(416)
      .headers({ "content-range": `bytes */${file.bytes}` })
      .send();
  }
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  const body = request.method === "HEAD" ? null : await bodyOf(file, { start, end });
  body?.once("error", (error) => log.error({ err: error }, "a download could not be finished"));
  return reply
    .code(range === null ? 200 : 206)
    .headers({
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "content-disposition": contentDisposition(file.name, { type: file.disposition }),
      "content-length": String(end - start + 1),
      "content-type": file.type,
      etag: file.etag,
      ...(range === null ? {} : { "content-range": `bytes ${start}-${end}/${file.bytes}` }),
      ...headers,
    })
    .send(body);
}

async function bodyOf(file: DownloadFile, { start, end }: ByteRange): Promise<Readable> {
  const source = file.bytes === 0 ? [] : await begunSource(file.read(start, end));
  return Readable.from(source, { objectMode: false });
}

/** The one range that was asked for of these very bytes; null for the whole. */
function rangeOf({ headers }: FastifyRequest, { bytes, etag }: DownloadFile): ByteRange | "outside" | null {
  if (headers.range === undefined) return null;
  const ifRange = headers["if-range"];
  if (ifRange !== undefined && ifRange !== etag) return null;
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(headers.range.trim()) ?? [];
  if (first === "" && last === "") return null;
  // "-500" are the last 500 bytes, all of them where there are fewer (RFC 9110 §14.1.2).
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  return start >= bytes ? "outside" : { start, end };
}
