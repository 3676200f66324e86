// Texts a model, a page that was searched or a server could send to run script on our page or to make it ask for something
// outside: kinds × encodings × constructs of Markdown. Every script calls `attacked(n)`, every address is one of `outside`.

export interface HostileTexts {
  /** Markdown blocks, each of which stands alone. */
  markdown: readonly string[];
  /** Pieces of HTML as they are; none of them leaves the page it is put into. */
  html: readonly string[];
  /** Addresses that run script where a page follows them. */
  scriptAddresses: readonly string[];
  /** Titles of at most 32 characters. */
  titles: readonly string[];
  /** How many blocks ask for a diagram. */
  diagrams: number;
}

const mixed = (text: string): string =>
  [...text].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join("");
const bar = (html: string): string => html.replaceAll("|", "\\|");

const htmlKinds: Record<string, (script: string, outside: string) => string> = {
  script: (s) => `<script>${s}</script>`,
  "script from outside": (_, o) => `<script src="${o}"></script>`,
  "script as data": (s) => `<script src="data:text/javascript,${s}"></script>`,
  module: (s) => `<script type="module">${s}</script>`,
  image: (s) => `<img src="x:" onerror="${s}">`,
  "image from outside": (_, o) => `<img src="${o}" srcset="${o} 2x" loading="eager">`,
  svg: (s) => `<svg onload="${s}"></svg>`,
  "svg script": (s) => `<svg><script>${s}</script></svg>`,
  "svg animation": (s) => `<svg><animate onbegin="${s}" attributeName="x" dur="1s"></animate></svg>`,
  "svg link": (s) => `<svg><a xlink:href="javascript:${s}"><text y="9">x</text></a></svg>`,
  "svg use": (_, o) => `<svg><use href="${o}#a"></use><image href="${o}"></image></svg>`,
  "svg html": (s) => `<svg><foreignObject><img src="x:" onerror="${s}"></foreignObject></svg>`,
  "frame of text": (s) => `<iframe srcdoc="<script>parent.${s}</script>"></iframe>`,
  "frame of script": (s) => `<iframe src="javascript:parent.${s}"></iframe>`,
  "frame from outside": (_, o) => `<iframe src="${o}"></iframe>`,
  object: (_, o) => `<object data="${o}"></object><embed src="${o}">`,
  "object of script": (s) => `<object data="javascript:${s}"></object>`,
  details: (s) => `<details open ontoggle="${s}"><summary>x</summary></details>`,
  video: (s, o) => `<video src="${o}" onerror="${s}" autoplay></video>`,
  audio: (s, o) => `<audio src="${o}" onerror="${s}"></audio>`,
  picture: (s) => `<picture><source srcset="x:"><img onerror="${s}" src="x:"></picture>`,
  input: (s) => `<input autofocus onfocus="${s}">`,
  "image button": (_, o) => `<input type="image" src="${o}">`,
  marquee: (s) => `<marquee onstart="${s}">x</marquee>`,
  animation: (s) => `<style>@keyframes k{}</style><b style="animation:k 1s" onanimationstart="${s}">x</b>`,
  "style from outside": (_, o) => `<style>@import "${o}";b{background:url(${o})}</style>`,
  "style of its own": (_, o) => `<b style="background:url(${o})">x</b>`,
  "sheet from outside": (_, o) => `<link rel="stylesheet" href="${o}"><link rel="prefetch" href="${o}">`,
  "link to script": (s) => `<a href="javascript:${s}">x</a>`,
  "link with handlers": (s) => `<a href="x" onclick="${s}" onmouseover="${s}" ping="/">x</a>`,
  form: (s) => `<form action="javascript:${s}"><button formaction="javascript:${s}">x</button></form>`,
  math: (s) => `<math href="javascript:${s}"><mtext><img src="x:" onerror="${s}"></mtext></math>`,
  "hidden by style": (s) => `<noscript><style></noscript><img src="x:" onerror="${s}"></style></noscript>`,
  "hidden by title": (s) => `<title><img src="x:" onerror="${s}"></title><xmp></xmp>`,
  template: (s) => `<template shadowrootmode="open"><img src="x:" onerror="${s}"></template>`,
  dialog: (s) => `<dialog open onbeforetoggle="${s}"><b popover id="p" ontoggle="${s}">x</b></dialog>`,
  scroll: (s) => `<div onscroll="${s}" style="overflow:auto;height:1px"><p>x</p><input autofocus></div>`,
  body: (s) => `<body onload="${s}" onpageshow="${s}">`,
  "end of what is around": (s) =>
    `"></title></textarea></style></script></div></main><img src=x: onerror=${s}>`,
};

/** Ways to write HTML past a filter. */
const htmlEncodings: Record<string, (html: string) => string> = {
  plain: (html) => html,
  "mixed case": (html) =>
    html.replace(/<(\/?)(\w+)/g, (_, end: string, tag: string) => `<${end}${mixed(tag)}`),
  "slash for blank": (html) => html.replace(/<(\w+) /g, "<$1/"),
  "in a comment": (html) => `<!--><${"!--"}-->${html}<!-- -->`,
  "in CDATA": (html) => `<![CDATA[${html}]]>`,
  escaped: (html) => html.replaceAll("<", "\\<"),
  entities: (html) => html.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  numbers: (html) => html.replaceAll("<", "&#60;").replaceAll("o", "&#x6f;"),
  "zero within": (html) => html.replace(/<(\w)/g, "<\0$1"),
  "line ends within": (html) => html.replace(/<(\w+) /g, "<$1\n"),
  "wide signs": (html) => html.replaceAll("<", "＜").replaceAll(">", "＞"),
  "turned around": (html) => `\u202e${html}\u202c`,
};

const addressKinds: Record<string, (script: string) => string> = {
  javascript: (s) => `javascript:${s}`,
  "javascript line": (s) => `javascript://x.example/%0a${s}`,
  vbscript: (s) => `vbscript:${s}`,
  livescript: (s) => `livescript:${s}`,
  data: (s) => `data:text/html,<script>${s}</script>`,
  "data in base64": (s) => `data:text/html;base64,${btoa(`<script>${s}</script>`)}`,
  "picture as data": (s) => `data:image/svg+xml,<svg/onload=${s}>`,
  view: (s) => `view-source:javascript:${s}`,
  feed: (s) => `feed:javascript:${s}`,
  jar: (s) => `jar:javascript:${s}!/`,
};

const addressEncodings: Record<string, (address: string) => string> = {
  plain: (address) => address,
  "mixed case": mixed,
  "tab within": (address) => address.replace(/^(..)/, "$1&#9;"),
  "line end within": (address) => address.replace(/^(..)/, "$1&NewLine;"),
  "control before": (address) => `&#1;${address}`,
  "blank before": (address) => `&#32;${address}`,
  "named colon": (address) => address.replace(":", "&colon;"),
  "number of a letter": (address) => `&#x${address.charCodeAt(0).toString(16)};${address.slice(1)}`,
  "number without end": (address) => `&#${address.charCodeAt(0)}${address.slice(1)}`,
  "percent signs": (address) => `%${address.charCodeAt(0).toString(16)}${address.slice(1)}`,
  "escaped colon": (address) => address.replace(":", "\\:"),
  "zero width within": (address) => address.replace(/^(..)/, "$1\u200b"),
  "turned around": (address) => `\u202e${address}`,
  "wide colon": (address) => address.replace(":", "："),
};

/** Constructs of Markdown around a piece of HTML. */
const aroundHtml: Record<string, (html: string, n: number) => string> = {
  heading: (html) => `## ${html}`,
  item: (html) => `- ${html}\n- [ ] ${html}`,
  quotation: (html) => `> ${html}\n>\n> [!NOTE]\n> ${html}`,
  cell: (html) => `| ${bar(html)} | b |\n|---|---|\n| ${bar(html)} | d |`,
  emphasis: (html) => `a **${html}** and *${html}* and ~~${html}~~`,
  "words of a link": (html) => `[${html}](https://x.example)`,
  "words of a picture": (html) => `![${html}](https://x.example/a.png)`,
  "title of a link": (html) => `[a](https://x.example '${html.replaceAll("'", "")}')`,
  "code span": (html) => `a \`${html}\` b`,
  "info of a fence": (html) => `\`\`\`${html.replaceAll("`", "")}\ncode\n\`\`\``,
  fence: (html, n) => `\`\`\`${["html", "svg", "js", ""][n % 4] ?? ""}\n${html}\n\`\`\``,
  "indented code": (html) => `    ${html}`,
  formula: (html) => `a $${html.replaceAll("$", "")}$ b`,
  "block formula": (html) => `$$\n\\text{${html}}\n$$`,
  footnote: (html, n) => `a[^n${n}]\n\n[^n${n}]: ${html}`,
  "allowed tags": (html, n) => `<b>${html}</b><sub>${html}</sub><kbd onclick="attacked(${n})">x</kbd>`,
};

/** Constructs of Markdown with a target. */
const aroundAddress: Record<string, (address: string, n: number) => string> = {
  link: (address) => `[a](${address})`,
  "link in angles": (address) => `[a](<${address}>)`,
  picture: (address) => `![a](${address})`,
  "picture in a link": (address) => `[![a](${address})](${address})`,
  reference: (address, n) => `[a][r${n}] ![b][r${n}]\n\n[r${n}]: <${address}>`,
  "alone in angles": (address) => `<${address}>`,
  bare: (address) => address,
  "words of a link": (address) => `[${address}](https://x.example)`,
  footnote: (address, n) => `a[^a${n}]\n\n[^a${n}]: [b](${address})`,
};

const formulas = (script: string, outside: string): string[] => [
  `$\\href{javascript:${script}}{x}$`,
  `$\\url{javascript:${script}}$`,
  `$\\htmlData{onclick=${script}}{x}$`,
  `$\\htmlStyle{background:url(${outside})}{x}$`,
  `$\\htmlClass{"><img src=x: onerror=${script}>}{x}$`,
  `$\\includegraphics{${outside}}$`,
  `$$\n\\def\\a{\\href{javascript:${script}}{x}}\\a\n$$`,
  `\\[ \\text{<img src=x: onerror=${script}>} \\]`,
];

const diagrams = (script: string, outside: string): string[] => [
  `flowchart TD\n  A["<img src=x: onerror=${script}>"] --> B`,
  `flowchart TD\n  A --> B\n  click A href "javascript:${script}"`,
  `flowchart TD\n  A --> B\n  click A call attacked(1)`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart TD\n  A["<script>${script}</script>"] --> B`,
  `flowchart TD\n  A@{ img: "${outside}" } --> B`,
  `sequenceDiagram\n  A->>B: <svg onload=${script}>`,
];

/** All of them, with `outside` in every address: whatever is asked there was asked for nobody. */
export function hostileTexts(outside: string): HostileTexts {
  let n = 0;
  const script = (): string => `attacked(${++n})`;
  const address = (): string => `${outside}/${n}`;
  const htmlOf = (): string[] =>
    Object.values(htmlKinds).map((kind) => {
      const code = script();
      return kind(code, address());
    });
  const addressOf = (): string[] => Object.values(addressKinds).map((kind) => kind(script()));
  const drawn = diagrams(script(), address());
  // Of products of two lists every fourth: each encoding and each construct meets ten kinds, and each kind some of them.
  const some = (all: string[], start: number): string[] => all.filter((_, index) => index % 4 === start % 4);
  const markdown = [
    ...htmlOf(),
    ...Object.values(htmlEncodings).flatMap((encode, index) => some(htmlOf(), index).map(encode)),
    ...Object.values(aroundHtml).flatMap((around, index) =>
      some(htmlOf(), index).map((html) => around(html, ++n)),
    ),
    ...Object.values(addressEncodings).flatMap((encode, index) =>
      some(addressOf(), index).map(
        (target) => `[a](${encode(target)}) and <a href="${encode(target)}">b</a>`,
      ),
    ),
    ...Object.values(aroundAddress).flatMap((around, index) =>
      some(addressOf(), index + 1).map((target) => around(target, ++n)),
    ),
    ...formulas(script(), address()),
    ...drawn.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``),
    "[__proto__] [constructor][hasOwnProperty]\n\n[__proto__]: https://x.example",
    "{{constructor.constructor('attacked(0)')()}} ${attacked(0)} <%= attacked(0) %>",
  ];
  return {
    markdown,
    html: htmlOf(),
    scriptAddresses: addressOf(),
    titles: [
      "<script>attacked(1)</script>",
      "<img src=x: onerror=attacked(2)>",
      "<svg onload=attacked(3)>",
      '"><svg/onload=attacked(4)>',
      "[a](javascript:attacked(5))",
      "\u202e<b onclick=attacked(6)>",
      "{{constructor}} ${attacked(7)}",
      "&lt;svg onload=attacked(8)&gt;",
    ],
    diagrams: drawn.length,
  };
}
