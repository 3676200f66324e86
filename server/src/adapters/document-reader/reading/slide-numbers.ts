// The numbers that PowerPoint counts before paragraphs: no text of a slide holds them.
import { listNumber } from "./list-numbers.ts";
import { attribute } from "./xml-parts.ts";

const deepest = 8;

/** The names of DrawingML begin with how a number is written, and end with what stands around it. */
const formats: readonly (readonly [begins: string, format: string])[] = [
  ["alphaLc", "lowerLetter"],
  ["alphaUc", "upperLetter"],
  ["romanLc", "lowerRoman"],
  ["romanUc", "upperRoman"],
  ["circleNum", "decimalEnclosedCircle"],
  ["ea1", "chineseCounting"],
];

function labelOf(kind: string, value: number): string {
  const format = formats.find(([begins]) => kind.startsWith(begins))?.[1] ?? "decimal";
  const number = listNumber(format, value);
  if (kind.endsWith("ParenBoth")) return `(${number}) `;
  if (kind.endsWith("ParenR")) return `${number}) `;
  return kind.endsWith("Period") ? `${number}. ` : `${number} `;
}

/** Is told of each element that opens. */
export class SlideNumbers {
  /** By level. */
  #counts: { kind: string; value: number }[] = [];
  #level = 0;
  #kind: string | null = null;
  #start = 1;
  #isDue = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "txBody") this.#counts = [];
    else if (name === "p") {
      this.#level = 0;
      this.#kind = null;
      this.#isDue = true;
    } else if (name === "pPr") {
      this.#level = Math.max(
        0,
        Math.min(deepest, Math.trunc(Number(attribute(attributes, "lvl") ?? 0)) || 0),
      );
    } else if (name === "buAutoNum") {
      this.#kind = attribute(attributes, "type") ?? "arabicPeriod";
      this.#start = Number(attribute(attributes, "startAt") ?? 1);
    }
  }

  /** What stands before the first words of a paragraph; one without words is not counted. */
  next(): string {
    if (!this.#isDue) return "";
    this.#isDue = false;
    const [level, kind] = [this.#level, this.#kind];
    this.#counts = this.#counts.slice(0, level + 1);
    const before = this.#counts[level];
    if (kind === null) {
      this.#counts = this.#counts.slice(0, level);
      return "";
    }
    const value = before?.kind === kind ? before.value + 1 : this.#start;
    this.#counts[level] = { kind, value };
    return labelOf(kind, value);
  }
}
