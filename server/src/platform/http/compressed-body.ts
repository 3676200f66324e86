// What is long goes out compressed where the reader takes that: on a slow line a conversation is there in a fifth of the time.
// They are nobody's to guess: a call is known by its bearer token, which no other site can make a browser send.
import { pipeline, type Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";

/**
 * The quickest, on other threads: conversations shrink to a fifth by it, and to a sixth by one that takes three times as
 * long. 96 KB for each answer: whoever reads slowly keeps them.
 */
const OPTIONS = { level: 1, windowBits: 14, memLevel: 6 };

/** Characters from which a text is worth it: below, a packet or two less. Answers with a token are shorter, too. */
export const LONG_CHARS = 4096;

const isGzip = /(?:^|,)\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/iu;

/** Whether who sends this Accept-Encoding takes gzip; null = no such header. */
export function takesGzip(acceptEncoding: string | null): boolean {
  return acceptEncoding !== null && isGzip.test(acceptEncoding);
}

/** A text of known length by gzip. */
export function gzippedText(text: string): Promise<Buffer> {
  return promisify(gzip)(text, OPTIONS);
}

/** The same bytes by gzip. Whichever of the two ends early ends the other. */
export function gzipped(body: Readable): Readable {
  // Whoever made the body is told of what failed in it; the reader's connection is cut.
  return pipeline(body, createGzip(OPTIONS), () => {});
}
