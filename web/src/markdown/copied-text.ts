import { isBlock, type CopiedElement, type CopiedPart } from "./copied-parts.ts";

/** Lines begun before and after an element: with two a line between is left empty. */
const parted = new Set("article blockquote h1 h2 h3 h4 h5 h6 hr p pre table".split(" "));
/** A number of a list and a blank take so much. */
const indentation = "   ";

/** What is copied, as plain text: lists with their numbers, cells with tabs between. */
export function copiedText(parts: readonly CopiedPart[]): string {
  const paper = createPaper();
  writeAll(paper, parts, { depth: 0, isInCell: false });
  return paper.text();
}

interface Surroundings {
  /** Lists around it. */
  depth: number;
  isInCell: boolean;
}

function writeAll(paper: Paper, parts: readonly CopiedPart[], around: Surroundings): void {
  for (const part of parts)
    if (typeof part === "string") paper.write(part);
    else writeElement(paper, part, around);
}

function writeElement(paper: Paper, element: CopiedElement, around: Surroundings): void {
  const { tag, children } = element;
  if (tag === "br") {
    if (around.isInCell) paper.write(" ");
    else paper.breakLine();
  } else if (element.cites !== undefined) paper.write(`[${element.cites}](${element.href ?? ""})`);
  else if (around.isInCell) {
    if (isBlock(element)) paper.write(" ");
    writeAll(paper, children, around);
  } else if (!isBlock(element)) writeAll(paper, children, around);
  else {
    const lines = parted.has(tag) || (isList(tag) && around.depth === 0) ? 2 : 1;
    paper.begin(lines);
    writeBlock(paper, element, around);
    paper.begin(lines);
  }
}

function writeBlock(paper: Paper, element: CopiedElement, around: Surroundings): void {
  const { tag, children, isKept } = element;
  if (isList(tag)) writeList(paper, element, around);
  else if (tag === "tr") writeRow(paper, children, around);
  else if (tag === "pre" || isKept === true) paper.writeKept(wordsOf(children));
  else writeAll(paper, children, around);
}

function writeList(paper: Paper, { tag, start = 1, children }: CopiedElement, around: Surroundings): void {
  const inside = { ...around, depth: around.depth + 1 };
  const isIndented = tag === "ol" && around.depth > 0;
  if (isIndented) paper.indent(1);
  children.forEach((item, index) => {
    paper.begin(1);
    if (tag === "ol") paper.writeNumber(`${start + index}. `);
    if (typeof item === "string") paper.write(item);
    else writeAll(paper, item.children, inside);
    paper.endItem();
  });
  if (isIndented) paper.indent(-1);
}

function writeRow(paper: Paper, cells: readonly CopiedPart[], around: Surroundings): void {
  cells.forEach((cell, index) => {
    if (index > 0) paper.writeRaw("\t");
    writeAll(paper, typeof cell === "string" ? [cell] : cell.children, { ...around, isInCell: true });
  });
}

function isList(tag: string): boolean {
  return tag === "ol" || tag === "ul";
}

function wordsOf(parts: readonly CopiedPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : wordsOf(part.children))).join("");
}

type Paper = ReturnType<typeof createPaper>;

/** Lines that are written one after the other; blanks where nobody sees them are left out. */
function createPaper() {
  const lines: string[] = [];
  let line = "";
  /** Nothing but its indentation and number stands on the line, or a blank that others would join. */
  let isAfterBlank = true;
  /** Lines to begin before the next words. */
  let owed = 0;
  /** What comes next stands behind the number of its item. */
  let isAtNumber = false;
  let depth = 0;

  function endLine(): void {
    lines.push(line.replace(/ $/, ""));
    line = indentation.repeat(depth);
    isAfterBlank = true;
  }
  function settle(): void {
    isAtNumber = false;
    if (owed > 0 && (lines.length > 0 || line !== "")) {
      endLine();
      if (owed > 1) lines.push("");
    }
    owed = 0;
  }
  return {
    /** What comes next stands on a line of its own, below an empty one where `count` is 2. */
    begin(count: number): void {
      if (!isAtNumber) owed = Math.max(owed, count);
    },
    breakLine(): void {
      settle();
      endLine();
    },
    write(text: string): void {
      const words = text.replace(/[ \t\n\r\f]+/g, " ");
      const rest = (isAfterBlank || owed > 0) && words.startsWith(" ") ? words.slice(1) : words;
      if (rest === "") return;
      settle();
      line += rest;
      isAfterBlank = rest.endsWith(" ");
    },
    writeRaw(text: string): void {
      settle();
      line += text;
      isAfterBlank = true;
    },
    writeNumber(text: string): void {
      settle();
      line += text;
      isAfterBlank = isAtNumber = true;
    },
    endItem(): void {
      isAtNumber = false;
      owed = Math.max(owed, 1);
    },
    writeKept(text: string): void {
      settle();
      const [first = "", ...others] = text.replace(/\n$/, "").split("\n");
      line += first;
      for (const other of others) {
        lines.push(line);
        line = indentation.repeat(depth) + other;
      }
      isAfterBlank = false;
    },
    indent(more: number): void {
      depth += more;
    },
    text: () => [...lines, line].join("\n"),
  };
}
