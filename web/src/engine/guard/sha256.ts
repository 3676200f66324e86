// SHA-256 in plain script, for hosts that refuse WebAssembly (docs/decisions/0014-noble-hashes.md).
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256 of an ASCII text as lower-case hex. */
export function sha256Ascii(ascii: string): string {
  // A puzzle is hashed tens of thousands of times: a loop over so few characters is faster than an encoder.
  const bytes = new Uint8Array(ascii.length);
  for (let i = 0; i < ascii.length; i++) bytes[i] = ascii.charCodeAt(i);
  return bytesToHex(sha256(bytes));
}
