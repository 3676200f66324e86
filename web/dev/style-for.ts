// Of style sheets what a piece of HTML takes, so that it can stand in the page itself.
import { transform } from "lightningcss";

const namesIn = (css: string, name: RegExp): string[] => [
  ...new Set([...css.matchAll(name)].map(([, found = ""]) => found)),
];

function without(css: string, unusedSymbols: string[]): string {
  const code = Buffer.from(css);
  return transform({ filename: "page.css", code, minify: true, unusedSymbols }).code.toString();
}

/** Variables that nothing reads, and animations that nothing runs. */
function unread(css: string): string[] {
  const variables = namesIn(css, /(--[\w-]+)\s*:/gu).filter(
    (name) => !css.includes(`var(${name})`) && !css.includes(`var(${name},`),
  );
  const animations = namesIn(css, /@keyframes ([\w-]+)/gu).filter((name) => css.split(name).length === 2);
  return [...variables, ...animations];
}

/**
 * The rules of `css` without those of classes that `html` does not have, and without what is left unread then. Rules by
 * element, name or attribute stay, whether `html` has them or not: they may be for the page around it.
 */
export function styleFor(html: string, css: string): string {
  const worn = new Set(namesIn(html, /class="([^"]*)"/gu).flatMap((names) => names.split(" ")));
  const classes = namesIn(css, /\.(-?[_a-z][\w-]*)/giu);
  let before = css;
  let style = without(
    css,
    classes.filter((name) => !worn.has(name)),
  );
  // What only an unread variable read is unread after it.
  while (style !== before) {
    before = style;
    style = without(style, unread(style));
  }
  return style;
}
