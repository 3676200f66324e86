/** A name that takes so many places or fewer is cut at its end alone; a full-width character takes two. */
const WHOLE = 12;
/** Of an end so many characters are kept: the extension and some of what is before it. */
const LONGEST_END = 10;
const BEFORE_EXTENSION = 3;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * A file's name in two parts, the first of which may be cut short: what is before the extension says which of many it is.
 * No character is parted.
 */
export function splitName(name: string): { start: string; end: string } {
  const characters = [...graphemes.segment(name)].map(({ segment }) => segment);
  const places = characters.length + (name.match(/[\u2e80-\uffef]/g)?.length ?? 0);
  if (places <= WHOLE) return { start: name, end: "" };
  const dot = characters.lastIndexOf(".");
  const extension = dot <= 0 ? 0 : characters.length - dot;
  const kept = Math.min(LONGEST_END, extension + BEFORE_EXTENSION);
  return { start: characters.slice(0, -kept).join(""), end: characters.slice(-kept).join("") };
}
