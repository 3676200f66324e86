import { answerText } from "./answer-text.ts";

const sentence = "the server keeps every reply in a log so that nobody sees the same text twice";

/** Texts that cost other renderers their square, each at about `size` characters. */
export const growingTexts: Record<string, (size: number) => string> = {
  definitions: (size) => lines(size, (line) => `[label ${line}]: https://example.org/${line}`),
  "code in a list item": (size) =>
    `- item\n\n  \`\`\`js\n${lines(size, (line) => `  const value${line} = call(${line});`)}  \`\`\`\n`,
  "long quotation": (size) => lines(size, (line) => `> ${sentence} ${line}, *${sentence}*.\n>`),
  "unclosed formula": (size) => `$$\n${lines(size, (line) => `a_{${line}} + b_{${line}} = c_{${line}}`)}`,
};

/** The same characters as few long code blocks and as many small ones. */
export const codeBlocks = {
  few: (size: number) => blocksOfCode(Math.round(size / 15)),
  many: (size: number) => blocksOfCode(Math.round(size / 1500)),
};

function blocksOfCode(each: number): (blocks: number) => string {
  const body = lines(each - 20, (line) => `const value${line} = call(${line});`);
  return (blocks) => `\`\`\`js\n${body}\`\`\`\n\nText.\n\n`.repeat(blocks);
}

const twoFormulas = (line: number) =>
  `The sum $\\sum_{k=1}^{${line}} \\frac{1}{k^2}$ is near $\\frac{\\pi^2}{6} - \\frac{1}{${line}}$.`;

/** Texts of one part that is long by itself, each of about 200 KB. */
const longParts: Record<string, () => string> = {
  "paragraph in a quotation": () => lines(200_000, (line) => `> ${sentence} ${line}, *${sentence}*.`),
  "paragraph in a list item": () =>
    `- item\n${lines(200_000, (line) => `  ${sentence} ${line}, *${sentence}*.`)}`,
  "one line": () => `${sentence}, `.repeat(2500),
  "one line in a quotation": () => `> ${`${sentence}, `.repeat(2500)}`,
  "one line in a list item": () => `- ${`${sentence}, `.repeat(2500)}`,
  "one line without spaces": () => "QWxsZXMgZ3V0".repeat(16_700),
  "one line of Chinese": () => "服务器把每一个回答都记在日志里，".repeat(12_500),
};

/** Whole answers that are opened at once. */
export const openedTexts: Record<string, () => string> = {
  ...longParts,
  "3,000 formulas": () => lines(Infinity, (line) => `${twoFormulas(line)}\n`, 1500),
  "3,000 formulas in a list": () => lines(Infinity, (line) => `- ${twoFormulas(line)}`, 1500),
  "3,000 formulas in a quotation": () => lines(Infinity, (line) => `> ${twoFormulas(line)}\n>`, 1500),
  "3,000 formulas in a paragraph": () => lines(Infinity, twoFormulas, 1500),
  "table of 2,000 × 20": () =>
    `${row((cell) => `Column ${cell}`)}${row(() => "---")}${lines(Infinity, (line) => row((cell) => `cell ${line * cell}`).trimEnd(), 2000)}`,
  "170 KB of everything": () => withFormulas(answerText(170_000)),
  "a line of code of 80 KB": () =>
    `\`\`\`js\n${"const value = call(1, 'two', [3]); ".repeat(2400)}\n\`\`\`\n`,
  "1,500 code blocks": () => blocksOfCode(100)(1500),
  "one code block of 95 KB": () =>
    `\`\`\`js\n${lines(95_000, (line) => `const value${line} = call(${line}, "text");`)}\`\`\`\n`,
};

function withFormulas(text: string): string {
  return text.replace(/\n\n---\n\n/g, "\n\n$$\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n$$\n\n---\n\n");
}

function row(cell: (index: number) => string): string {
  return `| ${Array.from({ length: 20 }, (_, index) => cell(index)).join(" | ")} |\n`;
}

function lines(size: number, line: (index: number) => string, most = Infinity): string {
  const parts: string[] = [];
  for (let total = 0, index = 0; total < size && index < most; index++) {
    const text = `${line(index)}\n`;
    parts.push(text);
    total += text.length;
  }
  return parts.join("");
}
