import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { append, emptySplit, finish, viewBlocks } from "./split-blocks.ts";
import { answers } from "./testing/answers.ts";
import { isWithin, visibleText } from "./testing/visible-text.ts";
import { cutText, expectSameAsWhole } from "./testing/whole-parse.ts";

/** What is shown of a text that is still growing. */
function shown(text: string): string {
  return visibleText(viewBlocks(append(emptySplit, text)));
}

/**
 * Expects of a text that comes in these pieces: what is shown stays, in its order, up to the end. So nothing vanishes,
 * and no sign is shown that the whole text has not.
 */
function expectNothingVanishes(pieces: readonly string[]): void {
  let state = emptySplit;
  let before = "";
  for (const piece of pieces) {
    state = append(state, piece);
    const now = visibleText(viewBlocks(state));
    if (!isWithin(before, now)) expect(`${now} at ${JSON.stringify(state.tail)}`).toBe(before);
    before = now;
  }
  const end = visibleText(finish(state).blocks);
  if (!isWithin(before, end)) expect(end).toBe(before);
}

describe("real answers", () => {
  const named = answers.map((text) => [text.slice(0, 40), text] as const);

  test("are at least sixty", () => {
    expect(answers.length).toBeGreaterThanOrEqual(60);
  });

  test.each(named)("%j: shown text stays, character by character", (_name, text) => {
    expectNothingVanishes(Array.from({ length: text.length }, (_, index) => text.charAt(index)));
  });

  test.each(named)("%j: ends as one parse", (_name, text) => {
    expectSameAsWhole(text, [text]);
    expectSameAsWhole(text, text.match(/[^]{1,7}/g) ?? []);
  });

  test("stay under any cut", () => {
    const runs = process.env["TEST_LONG"] === "1" ? 3000 : 150;
    const cut = fc.tuple(
      fc.constantFrom(...answers),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
    );
    fc.assert(
      fc.property(cut, ([text, sizes]) => {
        const pieces = cutText(text, sizes);
        expectNothingVanishes(pieces);
        expectSameAsWhole(text, pieces);
      }),
      { numRuns: runs },
    );
  });
});

describe("answers that are cut", () => {
  /** Letters and digits, which no sign is. */
  const words = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");

  test("keep what was shown of them, and lose no word that waited", () => {
    const runs = process.env["TEST_LONG"] === "1" ? 3000 : 300;
    const cut = fc.tuple(fc.constantFrom(...answers), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(cut, ([text, part]) => {
        const state = append(emptySplit, text.slice(0, Math.floor(text.length * part)));
        const growing = visibleText(viewBlocks(state));
        const atRest = visibleText(viewBlocks(state, "cut"));
        expect(isWithin(growing, atRest)).toBe(true);
        // An address that is not whole, and the head of a definition, are the signs of what they name.
        const [last = ""] = /\S*\s*$/.exec(state.tail) ?? [];
        if (/^[\p{L} ,.]*$/u.test(last)) expect(words(atRest).endsWith(words(last))).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

describe("constructs stay as shown, character by character", () => {
  test.each([
    "If $HOME is unset then use `$USER`. $PATH tells where. $EDITOR, too.",
    "Water boils at 100$^\\circ$C, 圆周为2$\\pi$弧度。From 10$\\sim$20, n$^2$ steps, x$_1$, 10$^{-3}$ m, 3$n$个.",
    "US$5 or HK$40, a$HOME$b, A$B and 5$ are text.",
    "[![build](https://ci.x.example/b.svg)](https://ci.x.example/some/long/path) and [![npm](https://i.x.example/v.svg)](https://www.x.example/y).",
    "*args and **kwargs, then *real* and **bold**.",
    "call f(*rest, **options) or *xs and **ys, then *real*",
    "*first, **second** third* and *one, two* and *one*, **two**",
    "位置参数*rest和**options，然后",
    "[Note]: remember the milk\n\nand [it](https://x.example/a_b).",
    "[^1]: a note\n\nand [^x] \n\n[^x]: other",
    "text[^1]\n\n[^1]: https://x.example/a_b_c and *more*\n",
    "\\(a_1 * b_2 * c_3\\) and \\[d_4 * e_5\\] and $f_6 * g_7$",
    "https://x.example/wiki/日本語_(曖昧) です，https://x.example/wiki/日本“語”。",
    "see https://x.example/a_b_/*c*/d and <https://x.example/*e*>",
    '[x](https://x.example/_a_/*b*) and ![y](https://x.example/_c_ "t")',
    '[x](<https://x.example/a b> "t") and [y](<https://x.example/c d>).',
    "See [x](https://x.example \"It's \\\"quoted\\\" here\") and ![y](x.example '(a) \\'b\\'') or [z](z (a \\(b\\) c)) end",
    "[x]( https://x.example/a ) and [y](\nhttps://x.example/b 't') on",
    "官网：www.x.example，www.y.example、me@x.example。另见www.z.example（中文），www.w.example",
    "write to <mailto:a.b@x.example> or <c@x.example>.",
    "[x](https://x.example/a_(b)_(c)_d) and ![y](x.example/(a)(b)/(c(d)e) 't (u)')",
    "| a | b |\n|---|---|\n| **c | `d` |\n| **e** | *f* | g |\n",
    "text before\n| a | b |\n|---|---|\n| c | d |\n",
    "a | b\n--- | ---\nc | d\n\nno | table\n",
    "$$\na\n\n\\left( b \\right)\n$$\nand\n\\[ c\nd \\]\n",
    "\\begin{align}\na &= b \\\\\n\\end{align}\n",
    "so\n\\begin{align*}a &= b\\end{align*} words *on*\n\n- \\begin{split}\n  x\n  \\end{split} y",
    "$$\nx\n\nnever **closed**, *so*\n\n- `a`\n- b",
    "\\[\na + b\n\nc = d\n\nF = ma is **so** it\n\n1. *a*",
    "> $$\n> x\n>\n> where $x$ is *so*\n\nend",
    "so $$\nx=1\n$$, where $y$ is\n\nmore\n\n$$\nz\n$$\n",
    "$$\nx=1\n$$ where $y$ is\n\nmore",
    "so\n\\[\nx=1\n\\], where \\(y\\) is\n\nmore",
    "| a | b |\n|---|---|\n| c | d |\n| e | f |\n1. one\n2. two\n",
    "| a | b |\n|---|---|\n| c | d |\n| e | f |\n---\n",
    "> [!TIP] Words behind it\n> make no note\n",
    "a[^1]\n\n[^1]: one *two*\n[^2]: three\n",
    "a[^1]\n\n[^1]:\n    one *two*\n\n    three\n\nfour\n",
    "> [!WARNING]\n> mind\n\n> [!not\n",
    "- [ ] a\n- [x] b\n- [link](https://x.example)\n",
    "~~a~~ ~b~ 10~20 `c``d` ``e`f``",
    "H<sub>2</sub>O<br>a < b <em> &amp; &copy; AT&T",
    "a $5 and $10, $2x$, $1,000 and $ABC$",
    "where $i < 5$, $n<10$, $x >= 3$ and $x=0; y=1$ or $0 < x < 1$ and $x+$ is it",
    'so ${a}_{b}$, $(a+b)^2$, $\\{x\\}$, $(a+b)$, $(x, y)$, ${}^{14}C$, $((a+b)c)$, $(0,1)$, $y" + y$ and ${AB} = c$.',
    "\"$5\" and ($x$), “$x$”, $a$、$b$，\"$x$\" and '$y$' $f'$ $(fg)'(x)$ $(a)/b$ the sign $($ opens, $[0, 1)$ or $x_($ is",
    "设 $(x_1, x_2)$ 和 $(a,b)$，则 ${n \\choose k}$ 与 $\\{1,2\\}$，区间$(0, +\\infty)$。若$n$为 $(n+1)$ 的 $(1)$ 式",
    "前**重点。**后__粗体__末 **https://x.example/**。",
    "**注意：**React和Vue**（推荐）**3，“**A**”与*“B”*C，1*（2）*3。",
    "see [a][r] and [b]\n\n[r]: https://x.example 'T'\n\nend",
    "see [a][r]\n\n[r]: https://x.example 'A title\nover two'\n[s]:\nhttps://x.example\n(of\nthree\nlines)\n\nend",
    "see [a][r]\n\n[r]: #a \"no title\n\n[s]: https://x.example 'nor\n- this\n\n> [t]: /u 'nor\n\nend",
    "see [a][] and [b c][]\n\n[a]: https://x.example\n[b c]: https://y.example\n\nend",
    "a*b*c and x*y* z, (x)**bold words** and [y]**so** end",
    "f(x)*g(x) is it, and **S**ingle **R**esponsibility",
    "abc*def*, a*b*c*d*e and (a*b)*c",
    "one [citation:1] two [citation:23][citation:4], [citation:x] and [citation:5](https://x.example).",
    "wow! ![a](https://x.example) \\*not\\* \\[x",
    "one [citation: 1, 2] two [Citation:3；citation:4] [City] 【citation：5、6】【注】 [citation:action in 1] [citation needed]",
    `one [citation:${"1, ".repeat(30)}1] two [see [citation:1] here](https://x.example/)`,
    "write to <me_too@x.example> or <https://x.example/>, a <b and List<String>",
    "x\n\n```math\na_1\n```\n\n```matlab\nb\n```\n",
    "<kbd><kbd>a</kbd>+<kbd>b</kbd></kbd> 2<sup>3<sup>4</sup></sup>",
    "Press <kbd>**Ctrl** and *C*</kbd>, H<sub>*2*</sub>O and <sup>**a *b***</sup> end",
    "In HTML, the <sub> tag makes text small. **Bold words** follow.",
    "a tenth[2](https://x.example/a_b), RFC[9110](http://x.example) and y)[see](https://x.example/c) end",
    "word[a long title of more than forty letters (so)](mailto:a@b.c) and w![pictures](#a_(b)_c 't') end",
    'word[docs](rel/a_b.md), (x)[more](<a b>), w[title](page "t") m[key](value), map[f(x)](a, b) end',
    "rows[2], rows[i][j] = f[k] (x) + g[0], a[b_c] and ![x](https://x.example)",
    'The class [^a-z] or [^a-zA-Z0-9_] or [^"] but [^0-9]+ is `[^x]`.',
    "a[^1] b[^2]\n\n[^1]: one\n[^2]: two\n",
    "a[^b] c[^a] d[^b]\n\n[^a]: one\n[^b]: two\n\n- e[^x]\n\n[^x]: three\n",
  ])("%j", (text) => {
    expectNothingVanishes(Array.from({ length: text.length }, (_, index) => text.charAt(index)));
  });
});

describe("prices and names of programs are text from their first sign on", () => {
  test.each([
    "The **Pro** plan costs **$20** per month and is billed yearly, which is *cheap*.",
    "- **$10** – no ads, [details](https://x.example)\n- *$5* before, __$4__ now",
    "| a |\n|---|\n| **$20**/month |\n",
    "> costs **$5** each, ***$6*** in all",
    "**It costs $5**, **Plan *Pro* costs $20** a month",
    "价格是**$20**每月，包括**100元**的优惠",
    "Revenue: **$1,200** vs. **$900**; so it is",
    "[**$10** off](https://x.example) and more",
    "**$20+** a month, or $100+ a night and $100+/night",
    "In PHP, $user->name is read before the template is rendered",
    "$this->foo() is called, and $row['id'] is read",
    "Use **$PATH** here, or *$HOME* there.",
    "$x = 5 in Perl; so it is",
    "$1 = ¥7 today, and $1 = 7.2 yuan before",
    "Set $HOME and go on",
    "The stock $AAPL rose",
    "The variable $name is set, $x is one, and $y, which is another",
    'A "$5" ticket and (so) on',
    'Set ${DIR} to "$(pwd)" and go.',
    'The difference between $* and "$@" is quoting. $? is "$?" and $# is it.',
    '$((1+2)) and "${x}".',
    '\'$VAR\' 不同；"${arr[@]}" 展开数组，使用"$HOME"和"$PATH"变量，以及"$(pwd)"和\'${x}\'。',
    "Run $PATH and ${HOME} then go on with ${USER}.",
    "模板字符串 ${name} 会被替换",
    'Use $foo->bar($x); and $arr["k"]',
    "Call func($x) or func($x, $y) and f(${x}).",
    "Set ${HOME}/bin:${PATH} and $HOME/$USER or PATH=$PATH:$HOME/bin; A=$(date) and B=$(pwd)",
    'The "${x}" and "${y}" or ${x} to insert it, ${a}${b}, ${A} = ${B} or ${APP}-${ENV}',
    "${name:-default} and ${#arr[@]} then $(document).ready or $('#id') and $(\".c\")",
    "A $(ls -la) or $(date +%s) and $(cat a.txt | grep b) then $(pwd)/bin too. $((a + b)) is it",
    'echo "$a""$b" or "$a" "$b" and --x="$y" then "$z" 是',
    "so $`a+b`$, $`a` and $``b`` or ($`x_1 + \\frac{a}{b}`$) it is",
    "Set $PATH，$(pwd)，'$x' and \"$y\"。$# is it，\"${x}\"，$`a`$, f($x) 。$HOME/bin，$? is $PATH f($x) or '$x' is",
    "The variable $x is a number and $f is it",
    'Use $(grep "^a" f) now and $(grep -v "b" f | wc -l) then, or $(ls | sort)',
    "If $i < 5 then exit, and ($i >= 5) goes on while $n != 10 it is so",
    "for ($i = 0; $i < 5; $i++) it counts",
  ])("%j", (text) => {
    const whole = visibleText(finish(append(emptySplit, text)).blocks);
    const steps = Array.from({ length: text.length }, (_, end) => shown(text.slice(0, end)));
    expect(steps.filter((now) => !whole.startsWith(now))).toEqual([]);
  });
});

describe("half-typed ends", () => {
  test.each([
    ["a **b", "ab"],
    ["a **b*", "ab"],
    ["a **", "a"],
    ["a *b **c", "abc"],
    ["a ~~b", "ab"],
    ["a `b", "ab"],
    ["a ``b`", "ab"],
    ["a `", "a"],
    ["a [b", "ab"],
    ["a [b](htt", "ab"],
    ["a[2](htt", "a"],
    ["a[2](https://x.exam", "a2"],
    ["a[i][j", "a"],
    ["a[i] = f[j](x", "a[i]=f"],
    ["a[i] = f[j](x, y", "a[i]=f[j](x,y"],
    ["a[many words, so long that they are a title](mail", "amanywords,solongthattheyareatitle"],
    ["a[two words](mailto:", "atwowords"],
    ["a[two words](pa", "a"],
    ["a <sub>**b", "ab"],
    ["a <sub>**b *C", "abC"],
    ["a <sub> tag **b", "a<sub>tagb"],
    ["a [^a-z] b", "a[^a-z]b"],
    ["a [^b] c", "a1c"],
    ['a [b](x.example "t', "ab"],
    ["a ![b](x", "ab"],
    ["a [citation:1", "a"],
    ["a [citation: 1, 2", "a"],
    ["a [Citation:1；citat", "a"],
    ["a 【", "a"],
    ["a 【citation：1", "a"],
    ["a 【注", "a【注"],
    ["a [cita", "a"],
    ["a [citation:1]", "a[citation:1]"],
    ["a [cite", "acite"],
    ["a $x^2", "ax^2"],
    ["a $$x", "ax"],
    ["a $$ is the PID", "a$$isthePID"],
    ["a $$HOME, not $HOM", "a$$HOME,not"],
    ["a \\(x", "ax"],
    ["a \\[x_1", "ax_1"],
    ["$$\nx\n\nwhe", "x"],
    ["$$\n\nnet force = m", "netforce=m"],
    ["$$\n\n*what* we have seen so far is not", "$$whatwehaveseensofarisnot"],
    ["$$\nx\n\nb = *", "xb="],
    ["$$\nx\n\nso **x", "$$xsox"],
    ["a $5 b", "a"],
    ["a $5 but", "a$5but"],
    ["a $PATH tells", "a$PATHtells"],
    ["a $2*3", "a2*3"],
    ["*a $2*3", "a2*3"],
    ["__a__ $20_a", "a20_a"],
    ["**a** $f** = f", "af**=f"],
    ["a $x = 5 +", "ax=5+"],
    ["a $x, y)", "ax,y)"],
    ["a ${HO", "a"],
    ["a ${HOME} to", "a"],
    ["a ${HOME} to go", "a${HOME}togo"],
    ["a ${a}_{b", "a"],
    ["a ${a}^", "a{a}^"],
    ["a $(pwd", "a"],
    ["a $(a, b) \\in", "a(a,b)\\in"],
    ["a $(a + b)(c + d) = (c + d)(a + b) = ac + bc", "a(a+b)(c+d)=(c+d)(a+b)=ac+bc"],
    ["a ${HOME}/with/a/long/path/to/some/folder/and", "a${HOME}/with/a/long/path/to/some/folder/and"],
    ["a $x + $", "ax+"],
    ["a $`b", "a"],
    ["a $`b`", "a"],
    ["a $`b`$ c", "abc"],
    ["a $`b`,", "a$b,"],
    ["a $` b", "a$b"],
    ["a $", "a"],
    ["a \\", "a"],
    ["a \\*b", "a*b"],
    ["a *rest, **options more", "a*rest,**optionsmore"],
    ["a *rest, **opt", "a"],
    ["a *rest, then", "arest,then"],
    ["snake_case_name", "snake_case_name"],
    ["2 * 3", "2*3"],
    ["2*3 is", "2*3is"],
    ["a 2*3", "a2"],
    ["a f(x)*g(x", "af(x)"],
    ["a (x)**bold words", "a(x)boldwords"],
    ["a (x)**2 is", "a(x)**2is"],
    ["a [b][]", "ab"],
    ["a [b][] c", "abc"],
    ["*args and **kwargs are", "*argsand**kwargsare"],
    ["https://x.example/a_b*c", "https://x.example/a_b*c"],
    ["<https://x.example/a_b", "https://x.example/a_b"],
    ["| a | b |\n|-|-|\n| **x", "abx"],
    ["| a | b |\n|-|-|\n| x | `y", "abxy"],
    ["a\n-", "a"],
    ["a\n##", "a"],
    ["a\n12", "a"],
    ["a\n``", "a"],
    ["a\n> -", "a"],
    ["| h | i |\n", ""],
    ["| h | i |\n|-", ""],
    ["a\n| h | i |", "a"],
    ["a | b", "a"],
    ["a | b\nc", "a|bc"],
    ["[Note]: wor", "[Note]:wor"],
    ["[1]: https://x.exam", ""],
    ["[1]:\n", ""],
    ["[1]: https://x.example 'one\ntw", ""],
    ["[1]: https://x.example\n'one\ntw", ""],
    ["[1]: https://x.example 'one\n- tw", "[1]:https://x.example'onetw"],
    ["[1]: /u 'one\ntwo'\n[2", ""],
    ["[1]: /u\n\n[2]\nmore", "[2]more"],
    ["[1]: words 'one\ntw", "[1]:words'onetw"],
    ["> [!WAR", ""],
    ["[^1]: one\n[^2", "1one"],
    ["[^1]: one\n[^2]:", "1one"],
    ["a\n```ma", "a"],
    ["- a\n  ```math", "a"],
    ["a <me@x.exam", "a"],
    ["a <str", "a"],
    ["a <str and", "a<strand"],
    ["<kbd><kbd>a", "a"],
  ])("%j is shown as %j", (typed, expected) => {
    expect(shown(typed)).toBe(expected);
  });

  test.each([
    "*",
    "_",
    "~",
    "$",
    "**$1** ",
    "https://x.example/wiki/字(",
    "www.a.bc，a@b.cc，",
    "${a",
    "$(a ",
    "$(ab | ",
    "$a < 5; ",
    "$`a",
  ])("many of %j before a letter take time by their number alone", (sign) => {
    /** Of the fastest of three: what else runs on the machine makes it longer, never shorter. */
    const timeOf = (characters: number): number => {
      const state = append(emptySplit, `a${sign.repeat(characters / sign.length)} b`);
      const times = [1, 2, 3].map(() => {
        const before = process.cpuUsage();
        viewBlocks(state);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    timeOf(2000);
    const exponent = Math.log(timeOf(64_000) / timeOf(8000)) / Math.log(8);
    expect(exponent).toBeLessThan(1.6);
  });

  test("any text is shown within its own characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."*_~`$[]()!\\<>| ab1\n中^:") }), (text) => {
        expect(shown(text).length).toBeLessThanOrEqual(text.length * 2 + 8);
      }),
      { numRuns: 2000 },
    );
  });
});
