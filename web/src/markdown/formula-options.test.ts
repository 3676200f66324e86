import katex from "katex";
import "katex/contrib/mhchem";
import { describe, expect, test } from "vitest";
import { completeTex } from "./complete-tex.ts";
import { formulaOptions, withKnownEnvironments } from "./formula-options.ts";

function drawn(tex: string, display = true): string {
  return katex.renderToString(withKnownEnvironments(tex), formulaOptions(display));
}

/** A drawing without the source that it carries. */
function looks(tex: string): string {
  return drawn(tex).replace(/<annotation[^]*?<\/annotation>/g, "");
}

describe("what models write and KaTeX has not", () => {
  test.each([
    ["\\begin{equation}E=mc^2\\label{eq:energy_1}\\end{equation}", "\\begin{equation}E=mc^2\\end{equation}"],
    [
      "\\begin{align}\\label{a}a&=b\\nonumber\\\\\\label{b}c&=d\\end{align}",
      "\\begin{align}a&=b\\nonumber\\\\c&=d\\end{align}",
    ],
    ["\\require{mhchem}\\ce{H2O}", "\\ce{H2O}"],
    ["\\mbox{if }x", "\\text{if }x"],
    ["\\begin{multline}a\\\\b\\label{c}\\end{multline}", "\\begin{gather*}a\\\\b\\end{gather*}"],
    ["\\begin{multline*}\\shoveleft{a}\\\\b\\end{multline*}", "\\begin{gather*}a\\\\b\\end{gather*}"],
    [
      "\\text{by }\\eqref{eq:a_b} \\text{ and }\\ref{c#&}",
      "\\text{by }\\htmlData{eqref=eq:a_b}{\\text{(eq:a\\_b)}} \\text{ and }\\htmlData{ref=c}{\\text{c}}",
    ],
    ["\\newcommand{\\R}{\\mathbb{R}}x\\in\\R", "x\\in\\mathbb{R}"],
    ["\\newcommand*\\vec[1]{\\mathbf{#1}}\\vec{x}", "\\mathbf{x}"],
    ["\\newcommand{\\unit}{\\mathrm{m}}5\\unit", "5\\mathrm{m}"],
    ["\\DeclareMathOperator{\\rank}{rank}\\rank A", "\\operatorname{rank} A"],
    ["\\DeclareMathOperator*{\\best}{arg\\,max}\\best A", "\\operatorname{arg\\,max} A"],
  ])("%s is drawn as %s", (tex, known) => {
    expect(looks(tex)).toBe(looks(known));
  });

  test("is drawn while it is written, but for the few signs within a definition", () => {
    const tex = "\\begin{align}\\label{eq:long_name}a&=\\mbox{so }b\\\\c&=d\\quad\\eqref{eq:x}\\end{align}";
    const empty = Array.from({ length: tex.length }, (_, end) => tex.slice(0, end + 1)).filter(
      (part) =>
        !completeTex(part).some((whole) => {
          try {
            return drawn(whole) !== "";
          } catch {
            return false;
          }
        }),
    );
    expect(empty.filter((part) => part.length > "\\begin{align}".length)).toEqual([]);
  });
});

describe("a formula keeps to itself", () => {
  test("what one defines for good, the next does not know", () => {
    expect(drawn("\\gdef\\label{x}\\gdef\\mine{x}\\mine")).toContain("x");
    expect(() => drawn("\\mine")).toThrow("Undefined control sequence");
    expect(looks("y\\label{z}")).toBe(looks("y"));
  });

  test("definitions that call each other are drawn no further than others", () => {
    expect(() => drawn("\\newcommand{\\a}{\\a\\a}\\a")).toThrow("Too many expansions");
    expect(() => drawn("\\newcommand{\\a}{\\b\\b}\\newcommand{\\b}{\\a\\a}\\a")).toThrow(
      "Too many expansions",
    );
  });

  test("a name becomes no command", () => {
    expect(looks("\\ref{\\href{javascript:x}{y}}")).toBe(
      looks("\\htmlData{ref=hrefjavascript:xy}{\\text{hrefjavascript:xy}}"),
    );
  });
});
