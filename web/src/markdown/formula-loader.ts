import italicFont from "katex/dist/fonts/KaTeX_Math-Italic.woff2?url";
import mainFont from "katex/dist/fonts/KaTeX_Main-Regular.woff2?url";
import { makeSoon } from "./make-queue.ts";

type Drawer = typeof import("./formula-drawer.ts");

const chemistry = /\\(?:ce|pu)\s*\{/;
/** Without them the first formulas would be blank, and all laid out again when they come. */
const usualFonts = [
  { font: "1em KaTeX_Main", file: mainFont },
  { font: "italic 1em KaTeX_Math", file: italicFont },
];
/** Signs of formulas, and what an amount of money has not. */
const formulaSigns = /\$(?=\S)[^$\n]*\S\$(?!\d)|\$\$|\\[([]/;

let drawer: Drawer | null = null;
let knowsChemistry = false;
let loading: Promise<void> | null = null;
let loadingChemistry: Promise<void> | null = null;

/** What draws `tex`; null while it is not loaded. */
export function drawerOf(tex: string): Drawer | null {
  return !knowsChemistry && chemistry.test(tex) ? null : drawer;
}

/**
 * Loads what draws `tex`, once. When it is there, `ready` is called, for all that wait a few in each frame; it draws at
 * once. `block`: what grows by it. Returns the way to lose interest.
 */
export function loadFormulas(tex: string, block: Element | null, ready: () => void): () => void {
  let wanted = true;
  let forget: (() => void) | undefined;
  void load(tex).then((here) => {
    if (here && wanted) forget = makeSoon(ready, block);
  });
  return () => {
    wanted = false;
    forget?.();
  };
}

/** Whether a text looks as if it held a formula; the parser knows for certain. */
export function mayHoldFormula(text: string): boolean {
  return formulaSigns.test(text);
}

/** Loads the drawer ahead where one of these texts may hold a formula. */
export function loadFormulasAhead(texts: readonly string[]): void {
  if (drawer === null && texts.some(mayHoldFormula)) void load("");
}

/** They would only be asked for when the drawer is there. */
function loadFonts(): void {
  for (const { file } of usualFonts) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href: file });
    document.head.append(link);
  }
}

/** False when it cannot be had now: sources are shown, and the next formula tries again. */
async function load(tex: string): Promise<boolean> {
  try {
    loading ??= loadDrawer();
    await loading;
    if (!chemistry.test(tex)) return true;
    loadingChemistry ??= import("katex/contrib/mhchem").then(() => {
      knowsChemistry = true;
    });
    await loadingChemistry;
    return true;
  } catch {
    if (drawer === null) loading = null;
    loadingChemistry = null;
    return false;
  }
}

function loadDrawer(): Promise<void> {
  loadFonts();
  return import("./formula-drawer.ts").then(async (module) => {
    await Promise.allSettled(usualFonts.map(({ font }) => document.fonts.load(font)));
    drawer = module;
  });
}
