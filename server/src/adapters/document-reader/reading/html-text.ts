// The text of markup without its scripts and styles, as someone reads it: blocks on lines of their own, cells apart.
import { Parser } from "htmlparser2";
import { MarkupGaps } from "./markup-gaps.ts";
import { ReadingError } from "./reading-error.ts";

const blocks = new Set(
  (
    "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section summary table tbody thead tfoot title tr ul " +
    // Those of FictionBook and SVG.
    "subtitle text-author empty-line v stanza epigraph cite text desc"
  ).split(" "),
);
const cells = new Set(["td", "th"]);
/** What nobody reads in a page. */
const hiddenInHtml = "script style noscript template iframe object svg select textarea rp".split(" ");

/** Pages that leave elements open by mistake are far from it; the parser takes longer with each level. */
const deepest = 10_000;

export interface MarkupOptions {
  language?: "html" | "xhtml" | "xml";
  hidden?: readonly string[];
}

export interface MarkupReader {
  write(piece: string): void;
  end(): void;
}

/**
 * @param emit takes the text in pieces; white space is collapsed except in `pre`
 * @param options `language`: in XHTML an element may close itself, in XML every name is a name; `hidden`: names of elements that are left out with all in them
 */
export function createMarkupReader(
  emit: (text: string) => void,
  { language = "html", hidden: hiddenNames = hiddenInHtml }: MarkupOptions = {},
): MarkupReader {
  let depth = 0;
  let hidden = 0;
  let preformatted = 0;
  const gaps = new MarkupGaps();
  let hasLine = false;
  // How characters are read stands behind them, in brackets of ours.
  let reading: "none" | "begins" | "stands" = "none";

  const put = (text: string): void => {
    const gap = gaps.take();
    emit(hasLine ? gap : gap.replaceAll(/[\n ]/g, ""));
    hasLine = true;
    if (reading === "begins") {
      reading = "stands";
      emit("（");
    }
    emit(text);
  };

  const parser = new Parser(
    {
      onopentagname(name) {
        depth += 1;
        if (depth > deepest) throw new ReadingError(40_007, "nested too deep");
        if (hiddenNames.includes(name)) hidden += 1;
        else if (name === "pre") preformatted += 1;
        else if (name === "rt") reading = "begins";
        if (name === "tr") gaps.openRow();
        else if (name === "table") gaps.openTable();
        else if (blocks.has(name)) gaps.line();
      },
      onopentag(name, { colspan: columns, rowspan: rows }) {
        if (cells.has(name)) gaps.openCell({ columns, rows });
      },
      onclosetag(name) {
        depth -= 1;
        if (hiddenNames.includes(name)) hidden = Math.max(0, hidden - 1);
        else if (name === "pre") preformatted = Math.max(0, preformatted - 1);
        else if (name === "rt") {
          if (reading === "stands") emit("）");
          reading = "none";
        }
        if (name === "tr") gaps.closeRow();
        else if (name === "table") gaps.closeTable();
        else if (blocks.has(name)) gaps.line();
        else if (cells.has(name)) gaps.closeCell();
      },
      ontext(text) {
        if (hidden > 0) return;
        if (preformatted > 0) {
          put(text);
          return;
        }
        if (/^\s/.test(text)) gaps.space();
        const words = text.trim().replaceAll(/\s+/g, " ");
        if (words === "") return;
        put(words);
        if (/\s$/.test(text)) gaps.space();
      },
    },
    { xmlMode: language === "xml", recognizeSelfClosing: language !== "html", decodeEntities: true },
  );
  return {
    write: (piece) => parser.write(piece),
    end() {
      parser.end();
      if (hasLine) emit("\n");
    },
  };
}
