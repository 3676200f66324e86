// The three kinds of things an RTF consists of: groups, control words and text.

export type RtfToken =
  | { kind: "open" }
  | { kind: "close" }
  | { kind: "word"; name: string; value: number | null }
  /** One byte written as \'hh, or plain ones. */
  | { kind: "bytes"; bytes: Buffer };

const isLetter = (byte: number) => (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
const isPlain = (byte: number) => byte !== 123 && byte !== 125 && byte !== 92 && byte !== 10 && byte !== 13;

/** The tokens of a document. Raw bytes after \bin are passed over. */
export function* rtfTokens(bytes: Buffer): Generator<RtfToken> {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at];
    if (byte === 123 || byte === 125) {
      yield { kind: byte === 123 ? "open" : "close" };
      at += 1;
    } else if (byte === 10 || byte === 13) at += 1;
    else if (byte !== 92) {
      const start = at;
      while (at < bytes.length && isPlain(bytes[at] ?? 0)) at += 1;
      yield { kind: "bytes", bytes: bytes.subarray(start, at) };
    } else if (bytes[at + 1] === 39) {
      yield { kind: "bytes", bytes: Buffer.from(bytes.toString("latin1", at + 2, at + 4), "hex") };
      at += 4;
    } else if (isLetter(bytes[at + 1] ?? 0)) {
      const start = at + 1;
      at = start;
      while (isLetter(bytes[at] ?? 0) && at - start < 32) at += 1;
      const name = bytes.toString("latin1", start, at);
      const digits = /^-?\d{1,10}/.exec(bytes.toString("latin1", at, at + 11))?.[0] ?? "";
      at += digits.length;
      if (bytes[at] === 32) at += 1;
      const value = digits === "" ? null : Number(digits);
      if (name === "bin") at += Math.max(0, value ?? 0);
      else yield { kind: "word", name, value };
    } else {
      yield { kind: "word", name: String.fromCharCode(bytes[at + 1] ?? 32), value: null };
      at += 2;
    }
  }
}
