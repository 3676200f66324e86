import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { append, emptySplit, finish } from "./split-blocks.ts";
import { EnglishMarkdown } from "./testing/english-markdown.tsx";

// A long text is taken in slices by the clock, and drawn once only its first ones would be there on a busy machine.
beforeAll(() => {
  vi.spyOn(performance, "now").mockReturnValue(0);
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** The markup of a whole answer, without attributes that no case is about. */
function draw(text: string, streaming = false): string {
  return renderToStaticMarkup(<EnglishMarkdown text={text} streaming={streaming} />)
    .replace(/^(?:<div class="[^"]*">){2}|(?:<\/div>){2}$/g, "")
    .replace(/ (?:class|lang|target|rel|title|tabindex)="[^"]*"/g, "")
    .replaceAll(' dir="auto"', "")
    .replace(
      /<span data-tex="([^"]*)"(?: data-display="")? dir="ltr"><span>[^<]*<\/span><\/span>/g,
      "<m>$1</m>",
    );
}

function link(address: string, words = address): string {
  return `<a href="${address}">${words}</a>`;
}

describe("nesting without end", () => {
  // No longer than what is made at once.
  const nested = (count: number, indent: string, marker: string) =>
    Array.from({ length: count }, (_none, n) => `${indent.repeat(n)}${marker} L${n}`).join("\n");

  test.each([
    ["a list", nested(56, "  ", "-"), 56],
    ["a numbered list", nested(51, "   ", "1."), 51],
    ["a quotation in one line", `${"> ".repeat(500)}L0`, 1],
    ["a quotation without spaces", `${">".repeat(500)}L0`, 1],
  ])("hides neither the words of %s nor what comes after it", (_what, text, count) => {
    const markup = draw(`${text}\n\nAfter\n\n# Heading`);
    const words = markup.split(/<[^>]*>|[\s;]/);
    const lost = Array.from({ length: count }, (_none, n) => `L${n}`).filter((word) => !words.includes(word));
    expect(lost).toEqual([]);
    expect(markup).toContain("<p>After</p>");
    expect(markup).toContain("Heading</h2>");
  });
});

describe("formulas", () => {
  test.each([
    ["If $HOME is unset then use `$USER`", "<p>If $HOME is unset then use <code>$USER</code></p>"],
    ["\\(a `\\)` b", "<p>(a <code>\\)</code> b</p>"],
    ["\\[a `\\]` b", "<p>[a <code>\\]</code> b</p>"],
    ["$a$ and `b` and $c$", "<p><m>a</m> and <code>b</code> and <m>c</m></p>"],
    ["it's `$a` or `$b`", "<p>it&#x27;s <code>$a</code> or <code>$b</code></p>"],
    ["\\[draft] text\n\nmore", "<p>[draft] text</p><p>more</p>"],
    ["\\[\nx\n\\]", "<m>x</m>"],
    ["\\[ x\n+ y \\]\n\nz", "<m>x\n+ y</m><p>z</p>"],
    ["$$\nx\n\nnever closed\n\n# next", '<p>$$<br/>x</p><p>never closed</p><h2 data-level="1">next</h2>'],
    [
      "$$\nArea of a circle = a\n\nVolume of a sphere = b\n\n-x, & otherwise, of course\n$$",
      "<m>Area of a circle = a\n\nVolume of a sphere = b\n\n-x, &amp; otherwise, of course</m>",
    ],
    ["$$\n\nnet force = ma\n\n速度 = 5\n\nb$$", "<m>net force = ma\n\n速度 = 5\n\nb</m>"],
    [
      "$$\nx\n\nso *it* is here as we saw before\n\n$$\ny\n$$",
      "<p>$$<br/>x</p><p>so <em>it</em> is here as we saw before</p><m>y</m>",
    ],
    ["$$\nx\n\n+ \\text{so it is}\n\nb\n$$", "<m>x\n\n+ \\text{so it is}\n\nb</m>"],
    ["\\begin{equation}\nx\n\\end{equation}", "<m>\\begin{equation}\nx\n\\end{equation}</m>"],
    [
      "\\begin{align*}\na &= b\n\n\\end{align*}\nc",
      "<m>\\begin{align*}\na &amp;= b\n\n\\end{align*}</m><p>c</p>",
    ],
    ["\\begin{document}\nx\n\\end{document}", "<p>\\begin{document}<br/>x<br/>\\end{document}</p>"],
    ["$$\nx\n$$ where $y$.\n\nmore\n\n$$\nz\n$$", "<p><m>x</m> where <m>y</m>.</p><p>more</p><m>z</m>"],
    ["\\[\nx\n\\], so\n\nmore\n\n\\[\nz\n\\]", "<p><m>x</m>, so</p><p>more</p><m>z</m>"],
    ["\\[\na \\\\] b\n\\]\nc", "<m>a \\\\] b</m><p>c</p>"],
    ["so $$\nx\n$$\nis\n\n$$\nz\n$$", "<p>so <m>x</m><br/>is</p><m>z</m>"],
    ["so $$x$$ and `$$`\n$$\nz\n$$", "<p>so <m>x</m> and <code>$$</code></p><m>z</m>"],
    [
      "\\begin{equation*}x\\end{equation*} words\n\n- \\begin{align}\n  a &= b\n  \\end{align}, *so*",
      "<p><m>\\begin{equation*}x\\end{equation*}</m> words</p>" +
        "<ul><li><p><m>\\begin{align}\na &amp;= b\n\\end{align}</m>, <em>so</em></p></li></ul>",
    ],
    [
      "\\begin{matrix}\nx \\begin{matrix}a\\end{matrix}\n\\\\\\end{matrix} b\nor `\\begin{split}`",
      "<p><m>\\begin{matrix}\nx \\begin{matrix}a\\end{matrix}\n\\\\\\end{matrix}</m> b<br/>or <code>\\begin{split}</code></p>",
    ],
    [
      "\\begin{cases}\\begin{cases}a\\end{cases}\\end{cases}",
      "<m>\\begin{cases}\\begin{cases}a\\end{cases}\\end{cases}</m>",
    ],
    ["\\begin{split}\\end{split} it", "<p>\\begin{split}\\end{split} it</p>"],
    ["\\begin{align} ... \\end{align} is *it*", "<p>\\begin{align} ... \\end{align} is <em>it</em></p>"],
    ["\\begin{CD} opens and \\end{CD} ends", "<p>\\begin{CD} opens and \\end{CD} ends</p>"],
    [
      "\\begin{cases}总价 & 速度\\end{cases}，*so*",
      "<p><m>\\begin{cases}总价 &amp; 速度\\end{cases}</m>，<em>so</em></p>",
    ],
    ["\\[\n\n应收账款周转率 = \\frac{a}{b}\n\n\\]", "<m>应收账款周转率 = \\frac{a}{b}</m>"],
    ["$$\nf\n\nf^{**} = f^** = f\n$$", "<m>f\n\nf^{**} = f^** = f</m>"],
    ["by \\begin{split}a\\end{split} b", "<p>by \\begin{split}a\\end{split} b</p>"],
    ["```math\nx^2\n```", "<m>x^2</m>"],
    ["100$^\\circ$C, 圆周为2$\\pi$弧度", "<p>100<m>^\\circ</m>C, 圆周为2<m>\\pi</m>弧度</p>"],
    ["n$^2$, x$_1$, 10$^{-3}$ m, 3$n$个", "<p>n<m>^2</m>, x<m>_1</m>, 10<m>^{-3}</m> m, 3<m>n</m>个</p>"],
    [
      "so 2$\\pi r$ or 2$x_1$ from 10$\\sim$20",
      "<p>so 2<m>\\pi r</m> or 2<m>x_1</m> from 10<m>\\sim</m>20</p>",
    ],
    ["US$5 or HK$40^2$ (US$5^2)", "<p>US$5 or HK$40^2$ (US$5^2)</p>"],
    ["a$HOME$b and a$my_var$b", "<p>a$HOME$b and a$my_var$b</p>"],
    ["5$ or 10$, A$B and C$D^2", "<p>5$ or 10$, A$B and C$D^2</p>"],
    ["costs $5 and $10", "<p>costs $5 and $10</p>"],
    ['A "$5" ticket and ($x$) seats.', "<p>A &quot;$5&quot; ticket and (<m>x</m>) seats.</p>"],
    ["**$20** or **$x$**, “$y$”", "<p><strong>$20</strong> or <strong><m>x</m></strong>, “<m>y</m>”</p>"],
    [
      "the sign $($ opens, $[0, 1)$ and ($\\alpha$)",
      "<p>the sign <m>(</m> opens, <m>[0, 1)</m> and (<m>\\alpha</m>)</p>",
    ],
    ["so $xy'$ and $a->b$", "<p>so <m>xy&#x27;</m> and <m>a-&gt;b</m></p>"],
    ...[
      "Set ${DIR} to '$(pwd)' and go.",
      "The difference between $* and '$@' is quoting.",
      "Use '$@' and '$#', '$*' or '$?'.",
      "$((1+2)) and '${x}'.",
      "“$VAR” 不同；'${arr[@]}' 展开数组，使用'$HOME'和'$PATH'。",
      "Set ${HOME}/bin:${PATH} and $HOME/$USER or PATH='$PATH:$HOME/bin', A=$(date) and B=$(pwd)",
      "Call f($x, $y) and g(${x}), then '${a}${b}' or ${name:-x} and ${#arr[@]}: $",
      "设$PATH，$(pwd)。${HOME}、$?；$USER：'$x'，$HOME/bin。",
      "Call f($x) or a$, '$@' is c$",
    ].flatMap((text) => {
      const escaped = text.replaceAll("'", "&#x27;");
      return [
        [text, `<p>${escaped}</p>`],
        [text.replaceAll("'", '"'), `<p>${escaped.replaceAll("&#x27;", "&quot;")}</p>`],
      ];
    }),
    [
      "$(a+b)$、${a}_{b}$，$\\{x\\}$ \"$x$\" '$y$' $f''$ $(fg)'(x)$ ${kg}$ ${AB} = c$ $y\" + y$ $*$",
      "<p><m>(a+b)</m>、<m>{a}_{b}</m>，<m>\\{x\\}</m> &quot;<m>x</m>&quot; &#x27;<m>y</m>&#x27; <m>f&#x27;&#x27;</m> " +
        "<m>(fg)&#x27;(x)</m> <m>{kg}</m> <m>{AB} = c</m> <m>y&quot; + y</m> <m>*</m></p>",
    ],
    [
      "so $!(a)$, $*[F]$, $*(F)$, $!n$ and $?$",
      "<p>so <m>!(a)</m>, <m>*[F]</m>, <m>*(F)</m>, <m>!n</m> and <m>?</m></p>",
    ],
    ["so $`a+b`$, ($`x_1`$) and $x$。", "<p>so <m>a+b</m>, (<m>x_1</m>) and <m>x</m>。</p>"],
    [
      "$`a` and `b`$, $``a``$, between $` and `$, \\$`c`$ or $$`d`$",
      "<p>$<code>a</code> and <code>b</code>$, $<code>a</code>$, between $<code>and</code>$, $<code>c</code>$ or $$<code>d</code>$</p>",
    ],
    ["in PHP $user->name.$sep and", "<p>in PHP $user-&gt;name.$sep and</p>"],
  ])("%j", (text, expected) => {
    expect(draw(text)).toBe(expected);
  });
});

describe("links", () => {
  const japanese = "https://x.example/wiki/%E6%97%A5%E6%9C%AC%E8%AA%9E";

  test.each([
    ["~~https://x.example~~", `<p><s>${link("https://x.example/", "https://x.example")}</s></p>`],
    ["See https://x.example/a.", `<p>See ${link("https://x.example/a")}.</p>`],
    ["(https://x.example/a_(b)), then", `<p>(${link("https://x.example/a_(b)")}), then</p>`],
    ["**https://x.example/a**", `<p><strong>${link("https://x.example/a")}</strong></p>`],
    ["**https://x.example/a_b_c/**！", `<p><strong>${link("https://x.example/a_b_c/")}</strong>！</p>`],
    ["http://localhost:3000/x!", `<p>${link("http://localhost:3000/x")}!</p>`],
    [
      "www.x.example/a_b?c=d&e.",
      `<p>${link("https://www.x.example/a_b?c=d&amp;e", "www.x.example/a_b?c=d&amp;e")}.</p>`,
    ],
    ["访问www.x.example，然后", `<p>访问${link("https://www.x.example/", "www.x.example")}，然后</p>`],
    ["https://x.example/wiki/日本語 です", `<p>${link(japanese, "https://x.example/wiki/日本語")} です</p>`],
    [
      "（https://x.example/wiki/日本語）。",
      `<p>（${link(japanese, "https://x.example/wiki/日本語")}）。</p>`,
    ],
    [
      "* see https://x.example/ja/wiki/日本語_(曖昧), https://x.example/wiki/日本語.",
      `<ul><li><p>see ${link("https://x.example/ja/wiki/%E6%97%A5%E6%9C%AC%E8%AA%9E_(%E6%9B%96%E6%98%A7)", "https://x.example/ja/wiki/日本語_(曖昧)")}, ${link(japanese, "https://x.example/wiki/日本語")}.</p></li></ul>`,
    ],
    ["见https://x.example/wiki/日本語条目。", `<p>见${link("https://x.example/wiki/")}日本語条目。</p>`],
    ["访问 https://x.example/网站上有 更多", `<p>访问 ${link("https://x.example/")}网站上有 更多</p>`],
    ["访问 https://x.example/docs/了解更多。", `<p>访问 ${link("https://x.example/docs/")}了解更多。</p>`],
    [
      "官网：www.x.example，www.y.example、www.z.example",
      `<p>官网：${link("https://www.x.example/", "www.x.example")}，${link("https://www.y.example/", "www.y.example")}、${link("https://www.z.example/", "www.z.example")}</p>`,
    ],
    [
      "官网 www.x.example。另见 www.y.example（中文），邮箱：me@x.example。",
      `<p>官网 ${link("https://www.x.example/", "www.x.example")}。另见 ${link("https://www.y.example/", "www.y.example")}（中文），邮箱：${link("mailto:me@x.example", "me@x.example")}。</p>`,
    ],
    [
      "“www.x.example”www.y.example\\|www.z.example",
      `<p>“${link("https://www.x.example/", "www.x.example")}”${link("https://www.y.example/", "www.y.example")}|${link("https://www.z.example/", "www.z.example")}</p>`,
    ],
    ["www. or awww.x.example", "<p>www. or awww.x.example</p>"],
    [
      "write to first_last+tag@x.example.",
      `<p>write to ${link("mailto:first_last+tag@x.example", "first_last+tag@x.example")}.</p>`,
    ],
    ["<me@x.example>", `<p>${link("mailto:me@x.example", "me@x.example")}</p>`],
    [
      "[words](mailto:me@x.example) git@host: user@localhost @name",
      "<p>words git@host: user@localhost @name</p>",
    ],
    ["`me@x.example www.x.example`", "<p><code>me@x.example www.x.example</code></p>"],
    ["[www.x.example](https://y.example/)", `<p>${link("https://y.example/", "www.x.example")}</p>`],
    [
      "[![build](https://i.example/b.svg)](https://x.example/)",
      `<p>${link("https://x.example/", "<span>build</span>")}</p>`,
    ],
    [
      "![two\nwords](https://i.example/b.png)",
      `<p>${link("https://i.example/b.png", "<span><bdi>two words</bdi> (<bdi>i.example</bdi>)</span>")}</p>`,
    ],
  ])("%j", (text, expected) => {
    expect(draw(text)).toBe(expected);
  });
});

describe("emphasis", () => {
  test.each([
    ["~one~ and ~~two~~", "<p><s>one</s> and <s>two</s></p>"],
    ["10~20元，30~40元", "<p>10~20元，30~40元</p>"],
    ["~5 and ~6", "<p>~5 and ~6</p>"],
    ["~~a ~b~ c~~", "<p><s>a <s>b</s> c</s></p>"],
    ["这是__粗体__文字", "<p>这是<strong>粗体</strong>文字</p>"],
    ["这是_斜体_文字", "<p>这是<em>斜体</em>文字</p>"],
    ["调用__init__方法", "<p>调用__init__方法</p>"],
    ["snake_case_name 和 a_b_", "<p>snake_case_name 和 a_b_</p>"],
    ["**注意：**React **Q：**1", "<p><strong>注意：</strong>React <strong>Q：</strong>1</p>"],
    ["Vue**（推荐）**3，~~旧：~~new", "<p>Vue<strong>（推荐）</strong>3，<s>旧：</s>new</p>"],
    ["使用**“AI”**model和a**“b”**c", "<p>使用<strong>“AI”</strong>model和a<strong>“b”</strong>c</p>"],
    ["内容：**React**、（*v3*）B", "<p>内容：<strong>React</strong>、（<em>v3</em>）B</p>"],
    [
      "**甲：*B*乙。**C *甲：**B**乙。*D",
      "<p><strong>甲：<em>B</em>乙。</strong>C <em>甲：<strong>B</strong>乙。</em>D</p>",
    ],
    ["*args and **kwargs", "<p>*args and **kwargs</p>"],
    ["x = 2*3*4", "<p>x = 2<em>3</em>4</p>"],
  ])("%j", (text, expected) => {
    expect(draw(text)).toBe(expected);
  });
});

test("a link without words shows its host", () => {
  const shown = link("https://x.example:8080/a", "x.example:8080");
  expect(draw("[](https://x.example:8080/a) [ ](https://x.example:8080/a)")).toBe(`<p>${shown} ${shown}</p>`);
});

test("a byte-order mark before a heading is no text, in one piece or at its end", () => {
  expect(draw("\ufeff# Title\n\nText\ufeff")).toBe('<h2 data-level="1">Title</h2><p>Text\ufeff</p>');
  expect(finish(append(append(emptySplit, "\ufeff"), "# Title")).blocks).toEqual(
    finish(append(emptySplit, "# Title")).blocks,
  );
});

test("a list whose numbers have four digits or more has room for them", () => {
  expect(draw("998. a\n999. b")).toContain('<ol start="998">');
  expect(draw("999. a\n1000. b")).toMatch(/<ol start="999" style="[^"]* 1ch\)">/);
  expect(draw("12345. a\n\n       123456. b")).toMatch(
    /<ol start="12345" style="--sign-room:calc\([^"]* 2ch\)">.*<ol start="123456" style="[^"]* 3ch\)">/,
  );
});

describe("tags", () => {
  test.each([
    ["a<br>b<br/>c<BR />d", "<p>a<br/>b<br/>c<br/>d</p>"],
    ["|h|\n|-|\n|a<br>b|", "a<br/>b</td>"],
    [
      "H<sub>2</sub>O, x<sup>*n*</sup>, <kbd>Ctrl</kbd>",
      "<p>H<sub>2</sub>O, x<sup><em>n</em></sup>, <kbd>Ctrl</kbd></p>",
    ],
    ["<kbd>`</kbd> <sub>`a`</sub>", "<sub><code>a</code></sub>"],
    [
      "<kbd><kbd>a</kbd>+<kbd>b</kbd></kbd>, 2<sup>3<sup>4</sup></sup>",
      "<p><kbd><kbd>a</kbd>+<kbd>b</kbd></kbd>, 2<sup>3<sup>4</sup></sup></p>",
    ],
    ["<sub>never closed", "<p>&lt;sub&gt;never closed</p>"],
    ["<sub class=a>x</sub>", "<p>&lt;sub class=a&gt;x&lt;/sub&gt;</p>"],
    ["<b>x</b> <img>", "<p>&lt;b&gt;x&lt;/b&gt; &lt;img&gt;</p>"],
    ["`<br>`", "<p><code>&lt;br&gt;</code></p>"],
  ])("%j", (text, expected) => {
    expect(draw(text)).toContain(expected);
  });
});

describe("blocks", () => {
  test.each([
    ["###标题", '<h2 data-level="3">标题</h2>'],
    ["##一、起因 ##", '<h2 data-level="2">一、起因</h2>'],
    ["#话题 #hash", "<p>#话题 #hash</p>"],
    ["##no", "<p>##no</p>"],
    ["# a\n\n###### b", '<h2 data-level="1">a</h2><h3 data-level="6">b</h3>'],
    [
      "### a\n\n#### b\n\n## c",
      '<h2 data-level="3">a</h2><h3 data-level="4">b</h3><h2 data-level="2">c</h2>',
    ],
    ["> [!WARNING]\n> mind", '<div data-kind="warning" role="note"><p>Warning</p><p>mind</p></div>'],
    ["> [!note]\n>\n> - a", '<div data-kind="note" role="note"><p>Note</p><ul>'],
    ["> [!NOTE] words", "<blockquote><p>[!NOTE] words</p></blockquote>"],
    ["> [!OTHER]\n> words", "<blockquote><p>[!OTHER]<br/>words</p></blockquote>"],
  ])("%j", (text, expected) => {
    expect(draw(text)).toContain(expected);
  });

  test("footnotes are numbered in the order in which the text refers to them, whatever they are called", () => {
    const text = "a[^note] b[^2]\n\n- c[^note] d[^last]\n\n[^last]: x\n[^2]: y\n[^note]: z\n[^alone]: u\n";
    for (const streaming of [false, true]) {
      const html = draw(text, streaming);
      expect(html.match(/(?<=Footnote )\w+">\w+(?=<\/a><\/sup>)/g)).toEqual(['1">1', '2">2', '1">1', '3">3']);
      expect(html.match(/(?<=data-note="[^"]*"><span>)\w+/g)).toEqual(["3", "2", "1", "alone"]);
    }
  });

  test("a task is written with its brackets, not with escaped ones", () => {
    const words = (html: string) =>
      html
        .replace(/<input[^>]*>/g, "☐ ")
        .replace(/<[^>]+>/g, " ")
        .trim()
        .split(/\s+/)
        .join(" ");
    expect(words(draw("- [x] a\n- \\[ \\] b\n- [ \\] c\n  - [ ] d\n  - \\[x] e"))).toBe(
      "☐ a [ ] b [ ] c ☐ d [x] e",
    );
  });

  test("footnotes and their ways there and back", () => {
    const html = draw("a[^1] b[^no]\n\n[^1]: one *two*\n\n    three");
    expect(html).toContain(
      'data-note-mark="^1" role="doc-noteref" aria-label="Footnote 1">1</a></sup> b[^no]</p>',
    );
    expect(html).toContain('role="doc-footnote" data-note="^1"');
    expect(html).toContain("<p>one <em>two</em></p><p>three</p>");
    expect(html).toContain('role="doc-backlink" aria-label="Back to the text">');
  });

  test("a footnote whose words begin on the next line", () => {
    expect(draw("a[^1]\n\n[^1]:\n    one\n\n    two\n\nb")).toMatch(
      /<div><p>one<\/p><p>two<\/p><\/div><a [^>]*>↩<\/a><\/div><p>b<\/p>/,
    );
    expect(draw("a[^1]\n\n[^1]:\nb")).toMatch(/<div><\/div><a [^>]*>↩<\/a><\/div><p>b<\/p>/);
  });

  test("a footnote that nothing refers to has no way back", () => {
    const html = renderToStaticMarkup(
      <EnglishMarkdown text={"a[^1]\n\n[^1]: one\n\n[^2]: two"} streaming={false} />,
    );
    expect(html.match(/\w*nowhere\w*"[^>]*href="#mark-\w+"/g)).toEqual([
      expect.stringContaining('href="#mark-2"'),
    ]);
  });

  test("text finds its direction, and what is around it lies on the same side", () => {
    const html = renderToStaticMarkup(
      <EnglishMarkdown text={"שלום\n\n- א\n\n> ב\n\n|ג|\n|-|\n|d|\n\n- x\n  - ד"} streaming={false} />,
    );
    for (const part of [
      '<p dir="auto">שלום',
      "<ul class=",
      'dir="rtl"><li dir="auto">',
      '<blockquote dir="rtl"><p dir="auto">',
      '<td dir="auto">d',
    ])
      expect(html).toContain(part);
    expect(html).toMatch(/<ul[^>]*><li dir="auto"><p>x<\/p><ul dir="rtl">/);
  });

  test.each(["> [!NOTE]\n> שלום", "- [x] שלום\n- [ ] x", "- [ ] שלום"])(
    "%j lies on the side of its words",
    (text) => {
      const html = renderToStaticMarkup(<EnglishMarkdown text={text} streaming={false} />);
      expect(html).toMatch(/<(?:div|ul)[^>]* dir="rtl">/);
    },
  );
});
