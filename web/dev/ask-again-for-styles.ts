// Vite's loader asks for each style sheet once in the life of a page, also for one that failed: its part, loaded again after a
// drop of the network, would come without its looks. Here what failed is forgotten (src/ui/lost-styles.ts takes its link away).
import type { Plugin } from "vite";

const remembered = /\(err\) => \{\s*seen\[href\] = void 0;/;

export function askAgainForStyles(): Plugin {
  return {
    name: "plumb-ask-again-for-styles",
    apply: "build",
    transform: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler(code) {
        if (!remembered.test(code)) throw new Error("Vite's loader of parts is another one");
        return { code: code.replace(remembered, "(err) => { delete seen[href];"), map: null };
      },
    },
  };
}
