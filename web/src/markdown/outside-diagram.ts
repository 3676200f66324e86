// Diagrams that would load something from outside. The diagram page's policy blocks such a load; here it is never asked for.

/** Names of HTML and SVG elements that load what they point at; `<<input>>` is a stereotype and no element. */
const LOADING_ELEMENT =
  /<\/?(?:img|image|picture|source|video|audio|track|iframe|frame|object|embed|link|style|script|input|feimage|use|base|meta|svg)\b(?!>>)/i;

/** A type's parameter, `List<Object>`: without attributes an element would load nothing. */
const TYPE_PARAMETER = /<[A-Z][a-z]+>/g;

/** Attributes by which any element loads or styles. */
const LOADING_ATTRIBUTE =
  /<[a-z][^<>]*[\s/"'](?:src|srcset|poster|background|style|data|href|xlink:href)\s*=/i;

/** What CSS loads: `url()` and `src()` of anything but a place in the same picture, and the forms without them. */
const LOADING_STYLE = /\b(?:url|src)\(\s*["']?\s*(?!["'\s#])|\bimage-set\(|\bimage\(|@import\b/i;

/** The `img` of a node's `@{ … }`, written as a key, an explicit key or an anchor that a key can name. */
const NODE_PICTURE = /[{,\s"']img["']?\s*(?::|$)|&[^\s&]+\s+["']?img\b|\?\s*["']?img\b/im;

/** TeX that loads or styles. */
const LOADING_FORMULA = /\\(?:includegraphics|html[a-z]+)\b/i;

/** A character by its number; what is no character is left out. */
function character(code: number): string {
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}

/** The entities that matter for finding a tag, an attribute or a call. */
const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
  lpar: "(",
  rpar: ")",
  colon: ":",
  equals: "=",
  sol: "/",
  commat: "@",
  num: "#",
  Tab: "\t",
  NewLine: "\n",
};

/** Entities of HTML and of mermaid (`#60;`). */
function withoutEntities(source: string): string {
  return source
    .replace(/&?#x([\da-f]{1,6});?/gi, (_, digits: string) => character(parseInt(digits, 16)))
    .replace(/&?#(\d{1,7});?/g, (_, digits: string) => character(Number(digits)))
    .replace(/[&#]([A-Za-z]+);/g, (whole, name: string) => NAMED[name] ?? whole);
}

/** Escapes of YAML and JSON strings, and line ends that they fold away. */
function withoutStringEscapes(source: string): string {
  return source
    .replace(/\\\r?\n[ \t]*/g, "")
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))/gi, (_, x?: string, u?: string, w?: string) =>
      character(parseInt(x ?? u ?? w ?? "0", 16)),
    );
}

/** Comments of CSS. In one pass: a pattern would try each of many openings up to the end. */
function withoutComments(source: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = source.indexOf("/*", from);
    const end = start === -1 ? -1 : source.indexOf("*/", start + 2);
    if (end === -1) return kept + source.slice(from);
    kept += source.slice(from, start);
    from = end + 2;
  }
}

/** Escapes and comments of CSS. */
function withoutStyleEscapes(source: string): string {
  return withoutComments(source)
    .replace(/\\([\da-f]{1,6})\s?/gi, (_, digits: string) => character(parseInt(digits, 16)))
    .replace(/\\([g-z@(])/gi, "$1");
}

function loads(text: string): boolean {
  return (
    LOADING_ELEMENT.test(text.replace(TYPE_PARAMETER, " ")) ||
    LOADING_ATTRIBUTE.test(text) ||
    LOADING_STYLE.test(text) ||
    LOADING_FORMULA.test(text) ||
    (text.includes("@{") && NODE_PICTURE.test(text.slice(text.indexOf("@{"))))
  );
}

/**
 * Whether drawing this source could ask for a picture, a style or a font from outside. It looks at the text as written
 * and with its escapes undone; in doubt it says yes, and the reader sees the code. Links that a click would follow load
 * nothing and are no reason.
 */
export function asksOutside(source: string): boolean {
  const plain = withoutStringEscapes(withoutEntities(source));
  return [
    source,
    plain,
    withoutEntities(plain),
    withoutStyleEscapes(source),
    withoutStyleEscapes(plain),
  ].some(loads);
}
