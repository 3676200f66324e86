// What can be nested in an answer: the signs that open and close each construct, by where it stands.

/** Signs that open and close one level. */
export type Signs = readonly [open: string, close: string];

const commands = (names: string, open: string, close: string): Signs[] =>
  names.split(" ").map((name) => [`\\${name}${open}`, close]);

export const formulaSigns: readonly Signs[] = [
  ["{", "}"],
  ["x^{", "}"],
  ["x_{", "}"],
  ["x_{a}^{", "}"],
  ["\\frac{1}{", "}"],
  ["\\left(", "\\right)"],
  ["\\left\\{", "\\right."],
  ["\\text{$", "$}"],
  ["\\raisebox{1em}{$", "$}"],
  ["\\hat{", "}^2"],
  ["\\mathchoice{", "}{a}{b}{c}"],
  ["\\color{red}{", "}"],
  ["\\textcolor{red}{", "}"],
  ["\\htmlData{ref=a}{", "}"],
  ["\\begingroup a", "\\endgroup "],
  ["\\bgroup a", "\\egroup "],
  ["\\sqrt[3]{", "}"],
  ["\\overset{a}{", "}"],
  ["\\underset{", "}{x}"],
  ["\\binom{1}{", "}"],
  ...commands("cfrac tfrac dfrac", "{1}{", "}"),
  ...commands("sqrt overline underline hat vec widehat overrightarrow", "{", "}"),
  ...commands("boxed cancel phantom smash vcenter mathop substack pmb boldsymbol", "{", "}"),
  ...commands("mathbf text xrightarrow ce operatorname", "{", "}"),
  ...commands("underbrace overbrace operatorname*", "{", "}_{a}"),
  ...["matrix", "pmatrix", "cases", "aligned", "array}{c"].map((name): Signs => [
    `\\begin{${name}}`,
    `\\end{${name.replace("}{c", "")}}`,
  ]),
  // These hold all that follows them in their group.
  ...commands("color{red} displaystyle large rm", " a", ""),
];

export const lineSigns: readonly Signs[] = [
  ["*a ", " b*"],
  ["**a ", " b**"],
  ["_a ", " b_"],
  ["~a *b ", "* ~"],
  ["~~a ", " b~~"],
  ["*", "*"],
  ["[a ", "](https://a.example)"],
  ["![a ", "](https://a.example)"],
  ["[", "]"],
  ["[a][", "]"],
  ["(", ")"],
  ["<sub>", "</sub>"],
  ["<kbd><sup>", "</sup></kbd>"],
  ["<div>", "</div>"],
  ["<details><summary>", "</summary></details>"],
  ["$x ", "$"],
  ["\\(", "\\)"],
  ["\\[", "\\]"],
  ["[citation:1", "]"],
  ["【3†", "】"],
  ["[^a", "]"],
  ["`a ``", "`` `"],
  ["https://a.example/(", ")"],
  ["<https://a.example/", ">"],
];

/** What a line begins with to stand one level deeper. */
export const lineStarts = ["> ", ">", "- ", "1. ", "[^a]: ", "> - ", "> [!NOTE]\n> "];

/** The language of code, and signs that its colours read in each other. */
export const codeSigns: readonly (readonly [language: string, ...Signs])[] = [
  ["js", "`${", "}`"],
  ["json", "[", "]"],
  ["html", "<div>", "</div>"],
  ["bash", '$(echo "', '")'],
  ["swift", '"\\(', ')"'],
  ["latex", "\\frac{", "}"],
  ["md", "> *a ", "*"],
];

/** A kind of diagram, lines that open and close a level, and what stands in the innermost. `#` is the number of the level. */
export const diagramFrames: readonly (readonly [head: string, ...Signs, core: string])[] = [
  ["flowchart TD", "subgraph s#\na#-->b#", "end", "A-->B"],
  ["stateDiagram-v2", "state s# {", "}", "A-->B"],
  ["classDiagram", "namespace N# {", "}", "class A"],
  ["block-beta", "block", "end", "a"],
  ["sequenceDiagram", "loop a", "end", "A->>B: x"],
  ["sequenceDiagram", "alt a", "else b\nA->>B: y\nend", "A->>B: x"],
  ["C4Context", 'Boundary(b#, "x") {', "}", 'System(a, "y")'],
];

/** A kind of diagram whose levels are told by the spaces before their lines. */
export const diagramTrees: readonly (readonly [head: string, line: string])[] = [
  ["mindmap", "n#"],
  ["treemap-beta", '"n#"'],
  ["kanban", "n#[x]"],
];
