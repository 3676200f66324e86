// A fast source of chance for pictures (sfc32, 128 bits of state): of the secure one a picture's hundred thousand numbers would
// take longer than the picture.

/** Numbers in [0, 1) from a seed of 16 bytes. With a shorter seed a stranger could try them all, and draw the same picture. */
export function fastChance(seed: Buffer): () => number {
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => seed.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let warm = 0; warm < 12; warm++) next();
  return next;
}
