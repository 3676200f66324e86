import { completeTex } from "./complete-tex.ts";
import { softenColours } from "./formula-colours.ts";
import { makeSoon } from "./make-queue.ts";

type Katex = typeof import("katex").default;

const mostCached = 400;
const longestDrawnWhileGrowing = 2000;
const chemistry = /\\(?:ce|pu)\s*\{/;

/** Without them the first formulas would be blank, and all laid out again when they come. */
const usualFonts = ["1em KaTeX_Main", "italic 1em KaTeX_Math"];

const cache = new Map<string, HTMLElement | null>();
let katex: Katex | null = null;
let knowsChemistry = false;
let loading: Promise<void> | null = null;
let loadingChemistry: Promise<void> | null = null;

/**
 * Loads what draws `tex`, once. When it is there, `ready` is called, for all that wait a few in each frame; it draws at
 * once. Returns the way to lose interest.
 */
export function loadFormulas(tex: string, ready: () => void): () => void {
  let wanted = true;
  void load(tex).then((here) => {
    if (here)
      makeSoon(() => {
        if (wanted) ready();
      });
  });
  return () => {
    wanted = false;
  };
}

/** False when it cannot be had now: sources are shown, and the next formula tries again. */
async function load(tex: string): Promise<boolean> {
  try {
    loading ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(async ([module]) => {
      await Promise.allSettled(usualFonts.map((font) => document.fonts.load(font)));
      katex = module.default;
    });
    await loading;
    if (!chemistry.test(tex)) return true;
    loadingChemistry ??= import("katex/contrib/mhchem").then(() => {
      knowsChemistry = true;
    });
    await loadingChemistry;
    return true;
  } catch {
    if (katex === null) loading = null;
    loadingChemistry = null;
    return false;
  }
}

/** A fresh copy of the drawn formula. Formulas of a page repeat, so each is drawn once and copied. */
export function drawnFormula(tex: string, display: boolean): HTMLElement | "not loaded" | "cannot be drawn" {
  if (katex === null || (!knowsChemistry && chemistry.test(tex))) return "not loaded";
  const key = `${display ? "d" : "i"}${tex}`;
  let drawn = cache.get(key);
  if (drawn === undefined) {
    drawn = draw(katex, tex, display);
    if (cache.size >= mostCached) cache.clear();
    cache.set(key, drawn);
  }
  return drawn === null ? "cannot be drawn" : (drawn.cloneNode(true) as HTMLElement);
}

/** A half-typed formula drawn as far as it goes. */
export function growingFormula(
  tex: string,
  display: boolean,
): HTMLElement | "not loaded" | "cannot be drawn" {
  if (katex === null || (!knowsChemistry && chemistry.test(tex))) return "not loaded";
  if (tex.length > longestDrawnWhileGrowing) return "cannot be drawn";
  for (const whole of completeTex(tex)) {
    const drawn = draw(katex, whole, display);
    if (drawn !== null) return drawn;
  }
  return "cannot be drawn";
}

/** Null for what cannot be drawn. Nothing in the source may reach outside: no links, classes, data or pictures. */
function draw(library: Katex, tex: string, display: boolean): HTMLElement | null {
  const element = document.createElement("span");
  try {
    library.render(tex, element, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: "ignore",
      // Its own red cannot be read on the dark ground.
      errorColor: "var(--danger)",
      maxExpand: 300,
      maxSize: 20,
      output: "htmlAndMathml",
    });
    softenColours(element);
    return element;
  } catch {
    return null;
  }
}
