// Stands where a page is that only the server has, and that cannot be had: in place of the browser's own error. All it needs is
// in it. The language that was chosen in the app lies where no worker can read: the browser's stands in for it.
import { resolveLocale } from "../engine/site/locale.ts";
import { languageTag } from "../i18n/language-tag.ts";
import en from "../i18n/offline.en_US.json";
import zh from "../i18n/offline.zh_CN.json";

export interface Unreached {
  path: string;
  /** What the browser speaks, the best first. */
  languages: readonly string[];
  /** Whether the browser knows of a network: then it is the server that is away. */
  isOnline: boolean;
}

/** Nothing runs in it but its own script; the address it stands at is nowhere in it. */
const policyWith = (nonce: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** How often it is looked whether the server is back, while somebody looks (milliseconds). */
const LOOK_MS = 15_000;

/**
 * Opens the page when the server answers again. It asks for little before that: a page that came anew each time would take the
 * focus from whoever is on a link of it.
 */
const script = `
const look = () => fetch("/version.txt", { cache: "no-store" }).then(
  (answer) => { if (answer.ok) location.reload() },
  () => { /* It is still away. */ }
);
addEventListener("online", look);
setInterval(() => { if (!document.hidden) look() }, ${LOOK_MS});
`;

/** Its colours are the browser's own, light or dark: ours are named in one place, which no worker can read. */
const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText }
body { display: flex; min-height: 100svh; margin: 0; font: 16px/1.5 system-ui, sans-serif }
main { margin: auto; padding: 24px; text-align: center }
h1 { margin: 0; font-size: 20px }
p { margin: 12px 0 }
a { display: inline-block; margin: 4px; padding: 10px 16px; border: 1px solid currentColor; border-radius: 8px }
a, a:visited { color: inherit; text-decoration: none }`;

export function offlinePage({ path, languages, isOnline }: Unreached): Response {
  const locale = resolveLocale("system", languages);
  const texts = locale === "zh_CN" ? zh : en;
  const title = texts[isOnline ? "offline.noServer" : "offline.noNetwork"];
  const what = texts[path.startsWith("/share/") ? "offline.share" : "offline.page"];
  const nonce = crypto.randomUUID();
  // A link without an address leads to the page that it stands in.
  const html = `<!doctype html>
<html lang="${languageTag(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${what}</p>
<a href="">${texts["offline.retry"]}</a> <a href="/">${texts["offline.home"]}</a>
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policyWith(nonce),
  };
  return new Response(html, { status: 503, headers });
}
