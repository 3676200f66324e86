// What an answer can hold, and how it is copied.

/** So long that it is drawn in parts. */
export const longLine = "服务器把每一个回答都记在日志里，".repeat(5000);
const rows = Array.from({ length: 150 }, (_, row) => `| row ${row} | $r_{${row}}$ | |`).join("\n");
/** A text with everything that can stand in an answer. */
export const everyConstruct = [
  "# One\n\n## Two **bold** `code`\n\nSpan $a\\,b \\\\ \\{x\\}$ and \\(c\\), &amp; *em* ~~no~~ H<sub>2</sub>O<br>line\nnext.",
  "$$\nx = \\frac{1}{2}\n$$\n\n\\[\ny\n\\]\n\n```math\nz\n```\n\nWithin $$w$$ a line.",
  "3. three\n4. four\n   1. inner\n   2. inner\n5. five\n\n   Two paragraphs.\n\n   ```js\n   let a;\n   ```\n\n- [x] done\n- [ ] open $p$",
  `| one | two | three |\n|---|:-:|--:|\n${rows}`,
  "Known[citation:1], two [citation:2][citation:3]; none [citation:99]. 【3†】",
  "> [!NOTE]\n> Words $q$.\n\n> quoted\n>\n> - an item",
  "A note[^1] and another[^b].\n\n[^1]: The first.\n\n[^b]: The second.\n\n    With two paragraphs.",
  'A [reference][there] and <https://x.example/a?b=c>, ![a picture](https://x.example/p.png), [none](javascript:1).\n\n[there]: https://there.example/ "t"',
  "https://alone.example/path\n\n    indented ` <code>\n      deeper\n\n```mermaid\ngraph TD\n  A-->B\n```\n\n```\n\nplain\n```\n\n---\n\nEnd.",
].join("\n\n");
/** Some of what is copied of it. */
export const copiedOfEveryConstruct = [
  "Span $a\\,b \\\\ \\{x\\}$ and $c$, & em no H2O\nline\nnext.",
  "3. three\n4. four\n   1. inner\n   2. inner\n5. five\n\nTwo paragraphs.",
  "[x] done\n[ ] open $p$",
  "one\ttwo\tthree\nrow 0\t$r_{0}$\t\nrow 1\t",
  "Known[1](https://tides.example/1), two [2](https://tides.example/2)[3](https://tides.example/3); none.",
  "A note[1] and another[2].",
  "1 The first.\n2 The second.\n\nWith two paragraphs.",
  "indented ` <code>\n  deeper\n\n```mermaid\ngraph TD\n  A-->B\n```\n\n\nplain\n\nEnd.",
  "A reference and",
];
