// Draws what a share's page shows before its script has run, and names the style sheets that it takes. The server reads it
// from the build and writes it into the page (server/src/features/sharing/share-page.ts).
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createServer, type Plugin } from "vite";
import { filesOf } from "./head-start.ts";
import { shortClassName } from "./short-class-name.ts";

type Drawn = typeof import("../src/screens/share-opening.tsx");

/** The parts whose style sheets it takes, in the order in which the page loads them. */
const drawnWith = [
  "app/every-chat.ts",
  "features/conversation/conversation.tsx",
  "screens/shared-chat.tsx",
] as const;

const root = join(import.meta.dirname, "..");

async function draw(): Promise<{ body: string; untitled: string }> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "warn",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    css: { modules: { generateScopedName: shortClassName } },
  });
  try {
    const path = "/src/screens/share-opening.tsx";
    const { ShareOpening, BothTexts } = (await server.ssrLoadModule(path)) as Drawn;
    const words = { title: "{title}", question: "{question}" };
    return {
      body: renderToStaticMarkup(createElement(ShareOpening, words)),
      untitled: renderToStaticMarkup(createElement(BothTexts, { name: "shared.fallbackTitle" })),
    };
  } finally {
    await server.close();
  }
}

export function shareOpening(): Plugin {
  return {
    name: "plumb-share-opening",
    apply: "build",
    generateBundle: {
      // The page is written by then, with the sheets that every page has.
      order: "post",
      async handler(_options, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("the build has no page");
        const html = String(page.source);
        const files = new Set(drawnWith.flatMap((module) => filesOf(bundle, module)));
        const styles = [...files].filter((file) => file.endsWith(".css") && !html.includes(file));
        const source = JSON.stringify({ styles: styles.map((file) => `/${file}`), ...(await draw()) });
        this.emitFile({ type: "asset", fileName: "share-opening.json", source });
      },
    },
  };
}
