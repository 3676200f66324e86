import katex from "katex";
import "katex/dist/katex.min.css";
import "./formula-numbers.css";
import { completeTex } from "./complete-tex.ts";
import { noteNames, numberSoon } from "./equation-numbers.ts";
import { isBeyondBounds, isDrawnBeyondBounds } from "./formula-bounds.ts";
import { softenColours } from "./formula-colours.ts";
import { formulaOptions, withKnownEnvironments } from "./formula-options.ts";

export { isBeyondBounds };

const mostCached = 400;
const longestDrawnWhileGrowing = 2000;

const cache = new Map<string, HTMLElement | null>();

/** A fresh copy of the drawn formula, null where it cannot be drawn. Formulas of a page repeat, so each is drawn once and copied. */
export function drawnFormula(tex: string, display: boolean): HTMLElement | null {
  const key = `${display ? "d" : "i"}${tex}`;
  let drawn = cache.get(key);
  if (drawn === undefined) {
    drawn = draw(tex, display);
    if (cache.size >= mostCached) cache.clear();
    cache.set(key, drawn);
  }
  const copy = (drawn?.cloneNode(true) ?? null) as HTMLElement | null;
  if (copy !== null) numberSoon(copy);
  return copy;
}

/** A half-typed formula drawn as far as it goes. */
export function growingFormula(tex: string, display: boolean): HTMLElement | null {
  if (tex.length > longestDrawnWhileGrowing) return null;
  for (const whole of completeTex(tex)) {
    const drawn = draw(whole, display);
    if (drawn !== null) {
      numberSoon(drawn);
      return drawn;
    }
  }
  return null;
}

/** Null for what cannot be drawn, or must not be since layout would have no end or no stack left (formula-bounds.ts). */
function draw(tex: string, display: boolean): HTMLElement | null {
  if (isBeyondBounds(tex)) return null;
  const element = document.createElement("span");
  try {
    katex.render(withKnownEnvironments(tex), element, formulaOptions(display));
    if (isDrawnBeyondBounds(element)) return null;
    softenColours(element);
    noteNames(element, tex);
    return element;
  } catch {
    return null;
  }
}
