import type { KatexOptions } from "katex";
import { boundedMacros, type MacroContext, type Sign } from "./formula-macros.ts";

/** Commands that KaTeX has not. Which number a formula elsewhere has is not known yet: its name stands for it. */
const macros = {
  "\\label": without,
  "\\require": without,
  "\\mbox": "\\text",
  "\\shoveleft": "#1",
  "\\shoveright": "#1",
  "\\ref": (context: MacroContext) => reference(context, "ref", "", ""),
  "\\eqref": (context: MacroContext) => reference(context, "eqref", "(", ")"),
  // KaTeX refuses it for a name that it has itself, and it has `\R`.
  "\\newcommand": define,
  "\\DeclareMathOperator": (context: MacroContext) => {
    const head = define(context);
    const [words = []] = context.consumeArgs(1);
    return `${head}{\\operatorname{${inOrder(words).join(" ")}}}`;
  },
};

/** How KaTeX draws our formulas. Nothing in the source may reach outside: no links, classes, data or pictures. */
export function formulaOptions(displayMode: boolean): KatexOptions {
  return {
    displayMode,
    throwOnError: true,
    // The name of another formula (equation-numbers.ts).
    trust: ({ command, ...given }) =>
      command === "\\htmlData" &&
      "attributes" in given &&
      Object.keys(given.attributes).every((name) => name === "data-ref" || name === "data-eqref"),
    strict: "ignore",
    // Its own red cannot be read on the dark ground.
    errorColor: "var(--danger)",
    maxExpand: 300,
    maxSize: 20,
    output: "htmlAndMathml",
    // A copy: what a formula defines for good (`\gdef`) goes into it.
    macros: boundedMacros({ ...macros }),
  };
}

/**
 * TeX with environments that KaTeX knows. The lines of a `multline` stand in the middle, without a number: `gather` would
 * give each its own.
 */
export function withKnownEnvironments(tex: string): string {
  return tex.replace(/(?<=\\(?:begin|end)\{)multline\*?(?=\})/g, "gather*");
}

function without(context: MacroContext): string {
  context.consumeArgs(1);
  return "";
}

/** A definition as far as its name, which may be known or not. */
function define(context: MacroContext): string {
  if (context.future().text === "*") context.popToken();
  const [name = []] = context.consumeArgs(1);
  const command = inOrder(name).join("");
  return `\\providecommand{${command}}{}\\renewcommand{${command}}`;
}

/** The name of a formula in words, and once more for whoever knows its number. */
function reference(context: MacroContext, kind: string, before: string, after: string): string {
  const [signs = []] = context.consumeArgs(1);
  const name = plainName(inOrder(signs).join(""));
  return `\\htmlData{${kind}=${name}}{\\text{${before}${name.replaceAll("_", "\\_")}${after}}}`;
}

/** The name of a formula as it can stand in words. */
export function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{M} .:/_-]/gu, "");
}

function inOrder(signs: readonly Sign[]): string[] {
  return signs.map(({ text }) => text).toReversed();
}
