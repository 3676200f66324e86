type Katex = typeof import("katex").default;

const mostCached = 400;
const cache = new Map<string, HTMLElement | null>();
let katex: Katex | null = null;
let loading: Promise<void> | null = null;

/** Loads the drawer with its styles once; `ready` is called when it is there. Returns the way to lose interest. */
export function loadFormulas(ready: () => void): () => void {
  let wanted = true;
  loading ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(([module]) => {
    katex = module.default;
  });
  loading.then(
    () => wanted && ready(),
    () => {
      // The next formula tries again; until then sources are shown.
      loading = null;
    },
  );
  return () => {
    wanted = false;
  };
}

/** A fresh copy of the drawn formula. Formulas of a page repeat, so each is drawn once and copied. */
export function drawnFormula(tex: string, display: boolean): HTMLElement | "not loaded" | "cannot be drawn" {
  if (katex === null) return "not loaded";
  const key = `${display ? "d" : "i"}${tex}`;
  let drawn = cache.get(key);
  if (drawn === undefined) {
    drawn = draw(katex, tex, display);
    if (cache.size >= mostCached) cache.clear();
    cache.set(key, drawn);
  }
  return drawn === null ? "cannot be drawn" : (drawn.cloneNode(true) as HTMLElement);
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
    return element;
  } catch {
    return null;
  }
}
