import { makeSoon } from "./make-queue.ts";

type Drawer = typeof import("./formula-drawer.ts");

const chemistry = /\\(?:ce|pu)\s*\{/;
/** Without them the first formulas would be blank, and all laid out again when they come. */
const usualFonts = ["1em KaTeX_Main", "italic 1em KaTeX_Math"];

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
    loading ??= import("./formula-drawer.ts").then(async (module) => {
      await Promise.allSettled(usualFonts.map((font) => document.fonts.load(font)));
      drawer = module;
    });
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
