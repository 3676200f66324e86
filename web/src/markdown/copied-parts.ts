// What is copied, as a tree of few elements: the same whether it was read off the page or made of what is to be drawn.

/** An element of what is copied. */
export interface CopiedElement {
  tag: string;
  children: readonly CopiedPart[];
  href?: string | undefined;
  /** The number of the first item. */
  start?: number | undefined;
  dir?: "rtl" | undefined;
  /** One with that above it, which was too long to be drawn as one. */
  goesOn?: boolean;
  /** Its spaces and lines are kept, as in `pre`. */
  isKept?: boolean;
  /** A link that cites a page: the number of that. */
  cites?: string;
}

export type CopiedPart = string | CopiedElement;

export type CopiedAttributes = Omit<CopiedElement, "tag" | "children">;

const inline = new Set("a abbr b code del em i ins kbd mark q s small strong sub sup u".split(" "));
const blocks = new Set(
  "article blockquote br h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul".split(" "),
);
const mayBeEmpty = new Set(["br", "hr", "li", "td", "th"]);

/** Whether it stands on lines of its own. */
export function isBlock(part: CopiedPart): part is CopiedElement {
  return typeof part !== "string" && !inline.has(part.tag);
}

/**
 * An element of the page in what is copied. What means nothing there leaves its children alone, on lines of their own
 * where `isOnLines`.
 */
export function copiedElement(
  tag: string,
  children: readonly CopiedPart[],
  { isOnLines = false, ...attributes }: CopiedAttributes & { isOnLines?: boolean } = {},
): readonly CopiedPart[] {
  if (children.length === 0 && !mayBeEmpty.has(tag)) return [];
  // An item of one paragraph is one line.
  if (tag === "li") return [{ tag, ...attributes, children: withoutOnlyParagraph(children) }];
  if (inline.has(tag) || blocks.has(tag)) return [{ tag, ...attributes, children: joined(children) }];
  if (!isOnLines || !children.some((child) => !isBlock(child))) return children;
  return [{ tag: "div", ...attributes, children: joined(children) }];
}

/** What is drawn in several parts is one. */
export function joined(parts: readonly CopiedPart[]): readonly CopiedPart[] {
  if (!parts.some((part) => typeof part !== "string" && part.goesOn === true)) return parts;
  const whole: CopiedPart[] = [];
  let open: { tag: string; children: CopiedPart[] } | null = null;
  for (const part of parts) {
    if (typeof part !== "string" && part.goesOn === true && open?.tag === part.tag) {
      // A paragraph is parted where a line ends.
      if (part.tag === "p") open.children.push({ tag: "br", children: [] });
      for (const child of part.children) open.children.push(child);
      continue;
    }
    open = typeof part === "string" ? null : { tag: part.tag, children: [...part.children] };
    whole.push(typeof part === "string" || open === null ? part : Object.assign({ ...part }, open));
  }
  return whole;
}

/** A formula as it is written in Markdown. */
export function copiedFormula(tex: string, isDisplay: boolean): CopiedPart {
  return isDisplay ? preformatted(`$$\n${tex}\n$$`) : `$${tex}$`;
}

/** A diagram as it is written in Markdown. */
export function copiedDiagram(source: string): CopiedPart {
  return preformatted(`\`\`\`mermaid\n${source.trimEnd()}\n\`\`\``);
}

/** The box of a task. */
export function copiedTask(isDone: boolean): CopiedPart {
  return isDone ? "[x] " : "[ ] ";
}

/** The mark of a footnote. */
export function copiedMark(name: string): CopiedPart {
  return `[${name}]`;
}

/** A footnote with what it is called. */
export function copiedNote(name: string, children: readonly CopiedPart[]): CopiedPart {
  return { tag: "div", children: [`${name} `, ...withoutFirstParagraph(children)] };
}

/** A number that leads to the page it cites. */
export function copiedCitation(cites: string, href: string): CopiedPart {
  return { tag: "a", href, cites, children: [`[${cites}]`] };
}

/** Words as they were typed. */
export function copiedWords(words: string): readonly CopiedPart[] {
  return words === "" ? [] : [{ tag: "div", isKept: true, children: [words] }];
}

function preformatted(text: string): CopiedElement {
  return { tag: "pre", children: [text] };
}

/** What stands before it goes on in its first line. */
function withoutFirstParagraph([first, ...others]: readonly CopiedPart[]): readonly CopiedPart[] {
  if (first === undefined) return [];
  return typeof first !== "string" && first.tag === "p" ? [...first.children, ...others] : [first, ...others];
}

function withoutOnlyParagraph(children: readonly CopiedPart[]): readonly CopiedPart[] {
  const paragraphs = children.filter((child) => typeof child !== "string" && child.tag === "p");
  if (paragraphs.length !== 1) return children;
  return children.flatMap((child) =>
    typeof child !== "string" && child.tag === "p" ? child.children : [child],
  );
}
