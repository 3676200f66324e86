// What people agree to where the operator names no documents of their own: one text for each language, with what only an edition
// has marked in it, in one frame.
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const EDITIONS = { international: "", mainland: "mainland/" } as const;
const LANGUAGES = {
  en: { tag: "en", name: "English", other: "zh" },
  zh: { tag: "zh-CN", name: "中文", other: "en" },
} as const;
const DOCUMENTS = ["terms", "privacy"] as const;

interface LegalPage {
  document: (typeof DOCUMENTS)[number];
  language: keyof typeof LANGUAGES;
  edition: keyof typeof EDITIONS;
}

export const legalPages: readonly LegalPage[] = DOCUMENTS.flatMap((document) =>
  (["en", "zh"] as const).flatMap((language) =>
    (["international", "mainland"] as const).map((edition) => ({ document, language, edition })),
  ),
);

export function pathOf({ document, language, edition }: LegalPage): string {
  return `/static/legal/${EDITIONS[edition]}${document}.${language}.html`;
}

/** The whole page around a text, without what only other editions have. Throws for a text without a heading. */
export function legalPage(text: string, page: LegalPage): string {
  const { tag, other } = LANGUAGES[page.language];
  const title = /<h1>(.+?)<\/h1>/u.exec(text)?.[1];
  if (title === undefined) throw new Error(`${pathOf(page)} has no heading`);
  const shown = text.replace(
    /<section data-edition="(\w+)">(.*?)<\/section>/gsu,
    (_section, edition: string, words: string) => (edition === page.edition ? words : ""),
  );
  return `<!doctype html>
<html lang="${tag}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="/static/legal/legal.css" />
  </head>
  <body>
    <main>
${shown}
      <p><a href="${pathOf({ ...page, language: other })}">${LANGUAGES[other].name}</a></p>
    </main>
  </body>
</html>
`;
}

async function write(page: LegalPage): Promise<string> {
  const file = new URL(`../legal/${page.document}.${page.language}.html`, import.meta.url);
  return legalPage(await readFile(file, "utf8"), page);
}

/** Makes the pages of both editions. */
export function legalTexts(): Plugin {
  return {
    name: "plumb-legal-texts",
    configureServer(server) {
      for (const page of legalPages) {
        server.middlewares.use(pathOf(page), (_request, response, next) => {
          response.setHeader("content-type", "text/html; charset=utf-8");
          write(page).then((html) => response.end(html), next);
        });
      }
    },
    async generateBundle() {
      for (const page of legalPages)
        this.emitFile({ type: "asset", fileName: pathOf(page).slice(1), source: await write(page) });
    },
  };
}
