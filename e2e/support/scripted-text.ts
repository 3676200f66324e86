// The deterministic words of the scripted upstream: the same seed and count give the same text in every process.

const WORDS = (
  "river stone lantern quiet engine copper morning signal harbour window thread meadow winter ladder bridge " +
  "answer number garden silver paper cloud kettle compass orchard candle market violin pepper tunnel feather " +
  "水 山 风 你好 模型 回答 文字 夜晚 café naïve 🙂 👩‍🚀 𝒙"
).split(" ");

function hash(text: string): number {
  let value = 2166136261;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  }
  return value >>> 0;
}

/**
 * `tokens` words drawn from the seed. Each tenth word is a running number, so that a lost, doubled or
 * misplaced piece is seen by the eye; each fiftieth word ends a paragraph. The second word is another than the first: who
 * goes on with a reply of one word by saying that word begins again, to the server.
 */
export function scriptedText(seed: string, tokens: number): string {
  let state = hash(seed) || 1;
  const pieces: string[] = [];
  for (let index = 0; index < tokens; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const drawn = (state >>> 0) % WORDS.length;
    const isSaidTwice = index === 1 && pieces[0] === `${WORDS[drawn]} `;
    const word = index % 10 === 9 ? `#${index + 1}` : (WORDS.at(isSaidTwice ? drawn - 1 : drawn) ?? "");
    pieces.push(index + 1 === tokens ? `${word}.` : index % 50 === 49 ? `${word}.\n\n` : `${word} `);
  }
  return pieces.join("");
}

/** Cuts text into pieces of `size` characters (UTF-16 units), never inside a surrogate pair; size 0 = by words. */
export function cutText(text: string, size: number): string[] {
  if (size <= 0) return text.match(/\s*\S+\s?|\s+/gu) ?? [];
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < text.length) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
