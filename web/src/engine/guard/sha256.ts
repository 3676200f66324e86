// SHA-256 in plain script (FIPS 180-4), for hosts that refuse WebAssembly. Slower, never unavailable.

const K = new Uint32Array(64);
const H0 = new Uint32Array(8);
fillConstants();

/** The constants are the first 32 bits of the fractional parts of the roots of the first primes. */
function fillConstants(): void {
  const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 0x1_0000_0000);
  let count = 0;
  for (let candidate = 2; count < 64; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++)
      if (candidate % divisor === 0) prime = false;
    if (!prime) continue;
    if (count < 8) H0[count] = fraction(Math.sqrt(candidate));
    K[count++] = fraction(Math.cbrt(candidate));
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** SHA-256 of an ASCII text as lower-case hex. */
export function sha256Ascii(ascii: string): string {
  const length = ascii.length;
  const bytes = new Uint8Array(((length + 9 + 63) >> 6) << 6);
  for (let i = 0; i < length; i++) bytes[i] = ascii.charCodeAt(i);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(length / 0x2000_0000));
  view.setUint32(bytes.length - 4, (length << 3) >>> 0);

  const hash = new Uint32Array(H0);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < bytes.length; offset += 64) mixBlock(hash, words, view, offset);

  let hex = "";
  for (const word of hash)
    hex += HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
  return hex;
}

const rotate = (value: number, bits: number): number => (value >>> bits) | (value << (32 - bits));

function mixBlock(hash: Uint32Array, w: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) hash[i] = hash[i]! + mixed[i]!;
}
