import type { KatexOptions } from "katex";

interface Sign {
  text: string;
}

/** What KaTeX lets a macro ask for. */
interface MacroContext {
  /** The arguments that follow, each as its signs from the last to the first. */
  consumeArgs: (count: number) => Sign[][];
  future: () => Sign;
  popToken: () => Sign;
}

/** Commands that KaTeX has not. Which number a formula elsewhere has is not known: its name stands for it. */
const macros = {
  "\\label": without,
  "\\require": without,
  "\\mbox": "\\text",
  "\\shoveleft": "#1",
  "\\shoveright": "#1",
  "\\ref": (context: MacroContext) => `\\text{${nextName(context)}}`,
  "\\eqref": (context: MacroContext) => `\\text{(${nextName(context)})}`,
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
    trust: false,
    strict: "ignore",
    // Its own red cannot be read on the dark ground.
    errorColor: "var(--danger)",
    maxExpand: 300,
    maxSize: 20,
    output: "htmlAndMathml",
    // A copy: what a formula defines for good (`\gdef`) goes into it.
    macros: { ...macros },
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

/** The name of a formula as it can stand in words. */
function nextName(context: MacroContext): string {
  const [name = []] = context.consumeArgs(1);
  return inOrder(name)
    .join("")
    .replace(/[^\p{L}\p{N}\p{M} .:/-]/gu, (sign) => (sign === "_" ? "\\_" : ""));
}

function inOrder(signs: readonly Sign[]): string[] {
  return signs.map(({ text }) => text).toReversed();
}
