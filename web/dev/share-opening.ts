// Makes the page of a share that shows its first words before any script has run, for which it needs no other file. The server
// reads it from the build and fills in the words (server/src/platform/http/own-pages.ts).
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createServer, type Plugin } from "vite";
import { filesOf } from "./head-start.ts";
import { shortClassName } from "./short-class-name.ts";
import { styleFor } from "./style-for.ts";

type Drawn = typeof import("../src/screens/share-opening.tsx");

/** The parts whose style sheets it takes, in the order in which the page loads them. */
const drawnWith = [
  "app/every-chat.ts",
  "features/conversation/conversation.tsx",
  "screens/shared-chat.tsx",
] as const;

const root = join(import.meta.dirname, "..");
const firstScript = /(<script [^>]*?) src="\/static\/first-paint\.js"><\/script>/u;
const sheet = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/gu;
/** What the page asks for by itself. */
const asked = /\s*<(?:link rel="(?:modulepreload|stylesheet)"|script type="module")[^>]*>(?:<\/script>)?/gu;

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

/** The built page with these words in it. What it asked for by itself waits in a template for its first script. */
function pageWith(
  html: string,
  { style, script, body }: Record<"style" | "script" | "body", string>,
): string {
  const later = html.match(asked)?.join("") ?? "";
  const changes: [RegExp, (found: string, first: string) => string][] = [
    [firstScript, (_tag, opened) => `${opened}>${script}</script>`],
    [asked, () => ""],
    [/(?=<\/head>)/u, () => `<style>${style}</style>`],
    [/(?=<noscript>)/u, () => `${body}<template id="after-opening">${later}</template>`],
  ];
  return changes.reduce((page, [place, words]) => {
    if (page.search(place) < 0) throw new Error(`the page has no place like ${place.source}`);
    return page.replace(place, words);
  }, html);
}

/** As a policy of content names what stands in a page. */
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function shareOpening(): Plugin {
  return {
    name: "plumb-share-opening",
    apply: "build",
    // After the first script was made small.
    async writeBundle({ dir = "" }, bundle) {
      const built = (file: string): Promise<string> => readFile(join(dir, file), "utf8");
      const html = await built("index.html");
      const ofPage = [...html.matchAll(sheet)].map(([, file = ""]) => file);
      const ofParts = drawnWith.flatMap((module) => filesOf(bundle, module));
      const sheets = new Set([...ofPage, ...ofParts.filter((file) => file.endsWith(".css"))]);
      const { body, untitled } = await draw();
      const style = styleFor(body, (await Promise.all([...sheets].map(built))).join("\n"));
      const script = (await built("static/first-paint.js")).trim();
      const page = pageWith(html, { style, script, body });
      const allowed = { style: hashOf(style), script: hashOf(script) };
      await writeFile(join(dir, "share-opening.json"), JSON.stringify({ page, untitled, allowed }));
    },
  };
}
