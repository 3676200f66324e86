// A multipart body as its parts, one after the other, none of them whole in memory (RFC 7578).
import { Global } from "@plumb/protocol/wire/global-codes";
import { GlobalRefusal } from "../refusal.ts";
import { type ByteSource, WAITING_BYTES } from "./body-reader.ts";

export interface Part {
  /** Name of the form's field; "" without one. */
  name: string;
  /** As it was sent, null where the part is no file. */
  fileName: string | null;
  /** To be read before the next part is asked for: what is left then is dropped. A piece is there until the next is asked for. */
  pieces: AsyncIterable<Uint8Array>;
}

/** RFC 2046 allows 70 characters. */
const BOUNDARY_BYTES = 200;
const HEADER_BYTES = 16 * 1024;
const MOST_PARTS = 100;
const CRLF = "\r\n";

/**
 * The parts of `body` in their order. The boundary is what its first line says: a client need not send the content type
 * (wire-contract.md §1.7). Throws 42200 for what is no multipart, and what `body` throws.
 */
export async function* multipartParts(body: ByteSource): AsyncGenerator<Part> {
  const input = new Input(body);
  const first = await input.readTo(CRLF, BOUNDARY_BYTES);
  if (!first.startsWith("--")) throw malformed("not multipart");
  const delimiter = CRLF + first.trimEnd();
  for (let count = 0; count < MOST_PARTS; count += 1) {
    const { name, fileName } = readHeaders(await input.readLines(HEADER_BYTES));
    const pieces = input.piecesTo(delimiter);
    yield { name, fileName, pieces };
    for await (const _dropped of pieces);
    const end = await input.readTo(CRLF, BOUNDARY_BYTES, "--");
    if (end.startsWith("--")) return;
    if (end.trim() !== "") throw malformed("a part that does not begin");
  }
  throw malformed(`more than ${MOST_PARTS} parts`);
}

function malformed(msg: string): GlobalRefusal {
  return new GlobalRefusal(Global.InvalidParams, { detail: [{ loc: "body", msg }] });
}

/** The bytes that have come and were not taken yet, in one buffer for all of the body. */
class Input {
  readonly #source: ByteSource;
  readonly #buffer = Buffer.allocUnsafeSlow(WAITING_BYTES);
  #from = 0;
  #to = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Text up to `end`, which is taken too. `orBegins` at the very beginning is an end of its own and returned. */
  async readTo(end: string, mostBytes: number, orBegins?: string): Promise<string> {
    for (;;) {
      const bytes = this.#bytes();
      if (orBegins !== undefined && bytes.toString("latin1", 0, orBegins.length) === orBegins)
        return orBegins;
      const at = bytes.indexOf(end);
      if (at > mostBytes || (at === -1 && bytes.length > mostBytes)) throw malformed("a line too long");
      if (at !== -1) {
        this.#from += at + end.length;
        return bytes.toString("utf8", 0, at);
      }
      await this.#more();
    }
  }

  /** Lines up to an empty one, which is taken too. */
  async readLines(mostBytes: number): Promise<string[]> {
    const lines: string[] = [];
    for (let left = mostBytes; ;) {
      const line = await this.readTo(CRLF, left);
      if (line === "") return lines;
      lines.push(line);
      left -= line.length + CRLF.length;
    }
  }

  /** The bytes up to `end`, which is taken too. */
  async *piecesTo(end: string): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = this.#bytes();
      const at = bytes.indexOf(end);
      // Its last bytes may be the beginning of the end.
      const ready = at === -1 ? bytes.length - end.length + 1 : at;
      if (ready > 0) {
        this.#from += ready;
        yield bytes.subarray(0, ready);
      }
      if (at !== -1) {
        this.#from += end.length;
        return;
      }
      await this.#more();
    }
  }

  #bytes(): Buffer {
    return this.#buffer.subarray(this.#from, this.#to);
  }

  /** What was not taken moves to the front: it is little, for no line is as long as the buffer. */
  async #more(): Promise<void> {
    this.#buffer.copyWithin(0, this.#from, this.#to);
    this.#to -= this.#from;
    this.#from = 0;
    const count = await this.#source.readInto(this.#buffer.subarray(this.#to));
    if (count === 0) throw malformed("it ends in the middle of a part");
    this.#to += count;
  }
}

/** What the Content-Disposition of a part says. */
function readHeaders(lines: readonly string[]): Pick<Part, "name" | "fileName"> {
  const line = lines.find((header) => /^content-disposition\s*:/iu.test(header)) ?? "";
  const values = new Map<string, string>();
  for (const [, key = "", quoted, plain = ""] of line.matchAll(
    /;\s*([\w*]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;]*))/gu,
  )) {
    values.set(key.toLowerCase(), quoted === undefined ? plain.trim() : unescape(quoted));
  }
  return {
    name: values.get("name") ?? "",
    fileName: extendedName(values.get("filename*")) ?? values.get("filename") ?? null,
  };
}

/** Browsers write `"` and line breaks as their percent signs, others a quote behind a backslash. */
function unescape(quoted: string): string {
  return quoted.replaceAll('\\"', '"').replace(/%22|%0[ad]/giu, (escape) => decodeURIComponent(escape));
}

/** A name as RFC 5987 writes it, such as UTF-8''caf%C3%A9.txt. */
function extendedName(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/iu.exec(value ?? "")?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
