import type { Plugin } from "vite";

/** A part of markdown-it's file that the page never runs. */
export interface UnusedPart {
  /** Its region in `markdown-it.mjs`, by the name of its source. */
  region: string;
  /** What stands in its place: the same names, so that the rest can still list them. */
  stub: string;
  /** Which rule of the parser it is; none for what no rule is. */
  rule?: { chain: "core" | "block" | "inline"; name: string };
}

/**
 * Rules that `createParser` switches off or replaces, the drawing of HTML, which React does, and the chain that reads a
 * text as a whole: ours asks for blocks and for what is in a line each by itself (markdown-parser.ts).
 */
export const unusedParts: readonly UnusedPart[] = [
  { region: "rules_core/state_core", stub: "class StateCore {}" },
  { region: "rules_core/normalize", stub: "" },
  { region: "rules_core/block", stub: "" },
  { region: "rules_core/strip_references", stub: "" },
  { region: "rules_core/inline", stub: "" },
  { region: "parser_core", stub: "var ParserCore = class { ruler = { disable() {} }; };" },
  { region: "renderer", stub: "var Renderer = class {};" },
  { region: "rules_core/linkify", stub: "function linkify$1() {}", rule: { chain: "core", name: "linkify" } },
  {
    region: "rules_core/replacements",
    stub: "function replace() {}",
    rule: { chain: "core", name: "replacements" },
  },
  {
    region: "rules_core/smartquotes",
    stub: "function smartquotes() {}",
    rule: { chain: "core", name: "smartquotes" },
  },
  {
    region: "rules_core/text_join",
    stub: "function text_join() {}",
    rule: { chain: "core", name: "text_join" },
  },
  { region: "rules_block/fence", stub: "function fence() {}", rule: { chain: "block", name: "fence" } },
  { region: "common/html_blocks", stub: "" },
  { region: "common/html_re", stub: "" },
  {
    region: "rules_block/html_block",
    stub: "function html_block() {}",
    rule: { chain: "block", name: "html_block" },
  },
  {
    region: "rules_inline/linkify",
    stub: "function linkify() {}",
    rule: { chain: "inline", name: "linkify" },
  },
  {
    region: "rules_inline/html_inline",
    stub: "function html_inline() {}",
    rule: { chain: "inline", name: "html_inline" },
  },
];

/** Passages of `markdown-it.mjs` that the page never runs: from a text on, up to another. */
export const unusedPassages = [
  // Two sets of rules that nobody chooses.
  { from: "\tzero: {", to: "};\nvar BAD_PROTO_RE" },
  // Ways to switch rules and to read a text as a whole, and the names under which the classes are handed out.
  {
    from: "\tenable(list, ignoreInvalid = false) {\n\t\tlet result = [];\n\t\tif (!Array.isArray(list)) list = [list];\n\t\t[",
    to: "};\n_defineProperty(MarkdownIt,",
  },
  { from: '_defineProperty(MarkdownIt, "Token"', to: "//#endregion" },
] as const;

/** Leaves the unused parts out of the built page. Fails where one is not found: another version may name it otherwise. */
export function withoutUnusedParts(code: string): string {
  const parts = unusedParts.map(({ region, stub }) => ({
    from: `//#region src/${region}.ts\n`,
    to: "//#endregion",
    stub: `${stub}\n`,
  }));
  const passages = unusedPassages.map((passage) => ({ ...passage, stub: "" }));
  return [...parts, ...passages].reduce((rest, { from, to, stub }) => {
    const start = rest.indexOf(from);
    const end = rest.indexOf(to, start);
    if (start === -1 || end === -1) throw new Error(`markdown-it has no part ${from.trim()}`);
    return rest.slice(0, start) + stub + rest.slice(end);
  }, code);
}

const fieldByHelper = /_defineProperty\(\s*this,\s*(?:\/\*\*(?:(?!\*\/)[^])*\*\/\s*)?"(\w+)",/g;

/**
 * Fields of markdown-it's classes set by assignments. Its file sets them through a helper that asks of each name what it
 * is: half the time of making a token, of which an answer that grows has millions.
 */
export function withPlainFields(code: string): string {
  const calls = code.split("_defineProperty(this").length + code.split(/_defineProperty\(\s+this/).length - 2;
  let found = 0;
  const plain = code.replace(fieldByHelper, (_call, name: string) => {
    found++;
    return `(this.${name} =`;
  });
  if (found === 0 || found !== calls) throw new Error("markdown-it sets its fields in another way");
  return plain;
}

export function unusedMarkdownRules(): Plugin {
  return {
    name: "plumb-unused-markdown-rules",
    apply: "build",
    transform: {
      filter: { id: /\/markdown-it\/dist\/markdown-it\.mjs$/ },
      handler: (code) => ({ code: withPlainFields(withoutUnusedParts(code)), map: null }),
    },
  };
}
