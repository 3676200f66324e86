// Text as bytes of encodings that Node can only read: the tables are made by reading every pair of bytes.
const tables = new Map<string, Map<string, number[]>>();

function tableOf(encoding: string): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number[]>();
  const learn = (bytes: number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && !text.includes("\u{fffd}") && !table.has(text)) table.set(text, bytes);
  };
  for (let first = 0; first < 256; first += 1) learn([first]);
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) learn([first, second]);
  tables.set(encoding, table);
  return table;
}

/** Throws where a character has no place in the encoding. */
export function encoded(text: string, encoding: string): Buffer {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const table = tableOf(encoding);
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${character} is not in ${encoding}`);
      return bytes;
    }),
  );
}
