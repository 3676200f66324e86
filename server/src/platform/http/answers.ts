// What a handler may answer with. Each kind is a class; a plain value is the `biz_data` of a success.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { ServerResponse } from "node:http";

/** The kinds a route declares (`Policy.answers`). A refusal is always an envelope and is not declared. */
export type AnswerKind = "json" | "large-json" | "event-stream" | "download" | "redirect" | "plain";

/** A success whose `biz_code` is not 0, such as RESUME_GOT_FULL_MESSAGE, or that carries headers of its own. */
export class Answer {
  readonly kind = "json";
  readonly outcome: RefusalCode;
  readonly data: unknown;
  readonly headers: Record<string, string>;
  constructor(outcome: RefusalCode, data: unknown, headers: Record<string, string> = {}) {
    this.outcome = outcome;
    this.data = data;
    this.headers = headers;
  }

  /** A success with `biz_code` 0 and headers of its own, such as a cookie. */
  static withHeaders(data: unknown, headers: Record<string, string>): Answer {
    return new Answer({ code: 0, msg: "" }, data, headers);
  }
}

/** A part of a JSON text: a string, or UTF-8 that was stored so. */
export type JsonPiece = string | Uint8Array;

/**
 * An envelope whose `biz_data` is written as it is made, for answers whose size a user chooses.
 *
 * `pieces` joined are one JSON value (`jsonPieces` makes them); each is at most some 128 KiB of text, made in a few
 * milliseconds. The next piece is asked for only when the reader has taken the last one, and the source's `return` is
 * called when the reader has gone. What the source throws before its first piece is answered like any error of a
 * handler; after it the connection is cut.
 */
export class LargeJsonAnswer {
  readonly kind = "large-json";
  readonly pieces: AsyncIterable<JsonPiece>;
  readonly outcome: RefusalCode;
  constructor(pieces: AsyncIterable<JsonPiece>, outcome: RefusalCode = { code: 0, msg: "" }) {
    this.pieces = pieces;
    this.outcome = outcome;
  }
}

/** An event stream: status and headers are written, then `start` owns the raw response and ends it. */
export class StreamAnswer {
  readonly kind = "event-stream";
  readonly start: (response: ServerResponse) => void;
  constructor(start: (response: ServerResponse) => void) {
    this.start = start;
  }
}

/** What can be downloaded, wherever its bytes lie. */
export interface DownloadFile {
  name: string;
  /** Content-Type. */
  type: string;
  disposition: "attachment" | "inline";
  /** Number of bytes in all. */
  bytes: number;
  /** A strong tag with its quotes: it differs when the bytes do. */
  etag: string;
  /** The bytes from `start` to `end`, both included. The source's `return` is called when the reader has gone. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** The bytes of a file, or the range of them that the caller asks for. `headers` come on top, such as a policy. */
export class DownloadAnswer {
  readonly kind = "download";
  readonly file: DownloadFile;
  readonly headers: Record<string, string>;
  constructor(file: DownloadFile, headers: Record<string, string> = {}) {
    this.file = file;
    this.headers = headers;
  }
}

/**
 * 302 to `location`, an absolute address or a path of this site. `cookies` are values of Set-Cookie (`writeOwnCookie`).
 * Never made from what a caller sent: that would lend our name to any site.
 */
export class RedirectAnswer {
  readonly kind = "redirect";
  readonly location: string;
  readonly cookies: readonly string[];
  constructor(location: string, cookies: readonly string[] = []) {
    this.location = location;
    this.cookies = cookies;
  }
}

/** An answer without the envelope, such as /version.txt. */
export class PlainAnswer {
  readonly kind = "plain";
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly status: number;
  constructor(body: string, headers: Record<string, string>, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** Every kind that has a class. */
export type AnyAnswer =
  Answer | LargeJsonAnswer | StreamAnswer | DownloadAnswer | RedirectAnswer | PlainAnswer;
