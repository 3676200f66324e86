// The text of markup without its scripts and styles, as someone reads it: blocks on lines of their own, cells apart.
import { Parser } from "htmlparser2";

const blocks = new Set(
  (
    "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section summary table tbody thead tfoot title tr ul"
  ).split(" "),
);
const cells = new Set(["td", "th"]);
const unseen = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "iframe",
  "object",
  "svg",
  "select",
  "textarea",
]);

export interface MarkupReader {
  write(piece: string): void;
  end(): void;
}

/**
 * @param emit takes the text in pieces; white space is collapsed except in `pre`
 * @param options `xml`: the names are an XML document's and case counts; `skip`: further elements that are left out
 */
export function createMarkupReader(
  emit: (text: string) => void,
  { xml = false, skip = [] }: { xml?: boolean; skip?: readonly string[] } = {},
): MarkupReader {
  let hidden = 0;
  let preformatted = 0;
  // What is due before the next text: nothing, a space, a tab or a line end. The strongest wins.
  let due = "";
  let hasLine = false;
  const isHidden = (name: string) => unseen.has(name) || skip.includes(name);

  const ask = (separator: string): void => {
    if (separator === "\n" || due === "" || (separator === "\t" && due === " ")) due = separator;
  };
  const put = (text: string): void => {
    if (hasLine || due === "\n") emit(hasLine ? due : "");
    due = "";
    hasLine = true;
    emit(text);
  };

  const parser = new Parser(
    {
      onopentagname(name) {
        if (isHidden(name)) hidden += 1;
        else if (name === "pre") preformatted += 1;
        if (blocks.has(name)) ask("\n");
        else if (cells.has(name)) ask("\t");
      },
      onclosetag(name) {
        if (isHidden(name)) hidden = Math.max(0, hidden - 1);
        else if (name === "pre") preformatted = Math.max(0, preformatted - 1);
        if (blocks.has(name)) ask("\n");
      },
      ontext(text) {
        if (hidden > 0) return;
        if (preformatted > 0) {
          put(text);
          return;
        }
        if (/^\s/.test(text)) ask(" ");
        const words = text.trim().replaceAll(/\s+/g, " ");
        if (words === "") return;
        put(words);
        if (/\s$/.test(text)) ask(" ");
      },
    },
    { xmlMode: xml, decodeEntities: true, lowerCaseTags: true },
  );
  return {
    write: (piece) => parser.write(piece),
    end() {
      parser.end();
      if (hasLine) emit("\n");
    },
  };
}
