// The one way to fetch an address that a user, a model or a web page has named: it reaches the public internet and nothing
// else, tells nobody who asks, and holds no more than it was allowed. Addresses that the operator sets, such as
// SEARCH_URL or MODEL_BASE_URL, are not its matter: those may well be private.
import { createGunzip, createInflate } from "node:zlib";
import { pipeline, Readable } from "node:stream";
import { Client } from "undici";
import { type Network, pinnedTo, publicAddresses, systemNetwork } from "./guarded-network.ts";

/** Why there is no answer. */
export type FetchRefusal =
  /** Not http or https on 80 or 443, or with credentials. */
  | "url"
  /** No public address. */
  | "address"
  | "redirects"
  | "size"
  | "time"
  /** Compressed in a way that is unknown or broken. */
  | "encoding"
  /** No connection, or one that broke. */
  | "network";

export class FetchRefused extends Error {
  readonly reason: FetchRefusal;
  constructor(reason: FetchRefusal, options?: ErrorOptions) {
    super(`An outside address was not fetched: ${reason}`, options);
    this.name = "FetchRefused";
    this.reason = reason;
  }
}

export interface FetchLimits {
  /** Of the body, as it comes and as it is unpacked. */
  bytes: number;
  /** What happens to a longer body: cut there, or refused. */
  longer: "cut" | "refuse";
  /** For everything, redirects included, milliseconds. */
  ms: number;
  /** Sent as Accept. */
  accept: string;
}

export interface Fetched {
  /** After redirects. */
  url: URL;
  status: number;
  /** As sent; "" when absent. */
  contentType: string;
  body: Buffer;
  /** The body was longer. */
  cut: boolean;
}

/** Throws FetchRefused, and the reason of `signal` when that is aborted. */
export type GuardedFetch = (address: string, limits: FetchLimits, signal: AbortSignal) => Promise<Fetched>;

const REDIRECTS = 3;
const HEADER_BYTES = 16 * 1024;
const USER_AGENT = "Mozilla/5.0 (compatible; Plumb)";
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

export function createGuardedFetch(network: Network = systemNetwork): GuardedFetch {
  return async (address, limits, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limits.ms)]);
    try {
      let url = allowedUrl(address);
      for (let hops = 0; ; hops += 1) {
        const answer = await fetchOnce(network, url, limits, limit);
        if (!("location" in answer)) return answer;
        if (hops === REDIRECTS) throw new FetchRefused("redirects");
        url = allowedUrl(answer.location, url);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new FetchRefused("time");
      if (error instanceof FetchRefused) throw error;
      throw new FetchRefused("network", { cause: error });
    }
  };
}

function allowedUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw new FetchRefused("url");
  if (!["", "80", "443"].includes(url.port) || url.username !== "" || url.password !== "")
    throw new FetchRefused("url");
  return url;
}

async function fetchOnce(
  network: Network,
  url: URL,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Fetched | { location: string }> {
  const addresses = await unlessAborted(publicAddresses(network, url.hostname), signal);
  if (addresses.length === 0) throw new FetchRefused("address");
  const client = new Client(url.origin, {
    connect: pinnedTo(network, addresses),
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: limits.ms,
    bodyTimeout: limits.ms,
    allowH2: false,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      method: "GET",
      path: url.pathname + url.search,
      headers: { "user-agent": USER_AGENT, accept: limits.accept, "accept-encoding": "gzip, deflate" },
      signal,
    });
    const { location } = headers;
    // The client is destroyed: what the connection still brings is read by nobody.
    body.on("error", () => {});
    if (REDIRECT_STATUSES.includes(statusCode) && typeof location === "string") return { location };
    const encoding = String(headers["content-encoding"] ?? "identity").toLowerCase();
    const { bytes, cut } = await readBody(body, encoding, limits);
    return { url, status: statusCode, contentType: String(headers["content-type"] ?? ""), body: bytes, cut };
  } finally {
    void client.destroy();
  }
}

/** A resolver cannot be told to stop. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Not Brotli: what it holds to unpack a body is up to 16 MB of its sender's choice, whatever the body may have. */
const unpackers = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
};

async function readBody(
  body: Readable,
  encoding: string,
  { bytes, longer }: FetchLimits,
): Promise<{ bytes: Buffer; cut: boolean }> {
  if (encoding === "identity") return readUpTo(body, bytes, longer);
  const unpack = unpackers[encoding as keyof typeof unpackers];
  if (!Object.hasOwn(unpackers, encoding)) throw new FetchRefused("encoding");
  let broken: Error | null = null;
  const unpacker = unpack();
  // What comes is bounded too: empty blocks without end unpack to nothing.
  const bounded = Readable.from(atMost(body, bytes), { objectMode: false });
  pipeline(bounded, unpacker, (error) => {
    broken = error ?? null;
  });
  try {
    return await readUpTo(unpacker, bytes, longer);
  } catch (error) {
    if (broken !== null && String((broken as NodeJS.ErrnoException).code).startsWith("Z_"))
      throw new FetchRefused("encoding", { cause: error });
    throw error;
  }
}

async function* atMost(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const piece of source) {
    seen += piece.length;
    if (seen > most) throw new FetchRefused("size");
    yield piece;
  }
}

async function readUpTo(
  source: AsyncIterable<Buffer>,
  most: number,
  longer: FetchLimits["longer"],
): Promise<{ bytes: Buffer; cut: boolean }> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    pieces.push(piece);
    size += piece.length;
    if (size <= most) continue;
    if (longer === "refuse") throw new FetchRefused("size");
    return { bytes: Buffer.concat(pieces, size).subarray(0, most), cut: true };
  }
  return { bytes: Buffer.concat(pieces, size), cut: false };
}
