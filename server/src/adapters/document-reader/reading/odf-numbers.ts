// The numbers of lists and headings of an OpenDocument text: no text of it holds them.
import { listNumber } from "./list-numbers.ts";
import { attribute } from "./xml-parts.ts";

type Attributes = Readonly<Record<string, string>>;

interface Level {
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  /** So many levels are shown, this one the last. */
  shown: number;
}

type Style = Map<number, Level>;

/** By level, from 1: the last number. */
type Counts = (number | undefined)[];

interface List {
  style: string | null;
  counts: Counts;
  /** An item has begun whose first paragraph is still to come. */
  isItemDue: boolean;
  /** What the item says to be. */
  value: number | null;
}

const mostLevels = 10;

const formats: Readonly<Record<string, string>> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  一: "chineseCounting",
  甲: "ideographTraditional",
  子: "ideographZodiac",
  "①": "decimalEnclosedCircle",
};

const numberOf = (attributes: Attributes, name: string, otherwise: number): number => {
  const value = Number(attribute(attributes, name) ?? otherwise);
  return Number.isSafeInteger(value) ? value : otherwise;
};

/** Is told of each element of the styles and of the text. */
export class OdfNumbers {
  readonly #styles = new Map<string, Style>();
  readonly #outline: Style = new Map();
  #read: Style | null = null;
  readonly #lists: List[] = [];
  /** Of lists that are over, by their names and by their styles: others may go on. */
  readonly #byName = new Map<string, Counts>();
  readonly #byStyle = new Map<string, Counts>();
  readonly #headings: Counts = [];

  open(name: string, attributes: Attributes): void {
    if (name === "list-style") {
      this.#read = new Map();
      this.#styles.set(attribute(attributes, "name") ?? "", this.#read);
    } else if (name === "outline-style") this.#read = this.#outline;
    else if (name === "list-level-style-number" || name === "outline-level-style") {
      this.#read?.set(numberOf(attributes, "level", 1), levelOf(attributes));
    } else if (name === "list") this.#openList(attributes);
    else if (name === "list-item") {
      const list = this.#lists.at(-1);
      if (list === undefined) return;
      list.isItemDue = true;
      list.value =
        attribute(attributes, "start-value") === undefined ? null : numberOf(attributes, "start-value", 1);
    }
  }

  close(name: string): void {
    if (name === "list-style" || name === "outline-style") this.#read = null;
    else if (name === "list") this.#lists.pop();
    else if (name === "list-item") {
      const list = this.#lists.at(-1);
      if (list !== undefined) list.isItemDue = false;
    }
  }

  #openList(attributes: Attributes): void {
    const around = this.#lists.at(-1);
    const style = attribute(attributes, "style-name") ?? around?.style ?? null;
    const goesOn = attribute(attributes, "continue-numbering") === "true";
    const other = attribute(attributes, "continue-list");
    const counts =
      around?.counts ??
      (other === undefined ? undefined : this.#byName.get(other)) ??
      (goesOn && style !== null ? this.#byStyle.get(style) : undefined) ??
      [];
    this.#lists.push({ style, counts, isItemDue: false, value: null });
    const id = attribute(attributes, "id");
    if (id !== undefined) this.#byName.set(id, counts);
    if (style !== null) this.#byStyle.set(style, counts);
  }

  /** Counts a paragraph or a heading that begins; the result is what stands before its text. */
  next(name: string, attributes: Attributes): string {
    const list = this.#lists.at(-1);
    if (list?.isItemDue === true) {
      list.isItemDue = false;
      const style = list.style === null ? undefined : this.#styles.get(list.style);
      return counted(style, list.counts, this.#lists.length, list.value);
    }
    if (name !== "h" || list !== undefined || attribute(attributes, "is-list-header") === "true") return "";
    return counted(this.#outline, this.#headings, numberOf(attributes, "outline-level", 1), null);
  }
}

function counted(style: Style | undefined, counts: Counts, at: number, value: number | null): string {
  const level = style?.get(at);
  if (style === undefined || level === undefined || at < 1 || at > mostLevels) return "";
  const before = counts[at];
  counts[at] = value ?? (before === undefined ? level.start : before + 1);
  counts.length = at + 1;
  if (level.format === "none") return "";
  const numbers: string[] = [];
  for (let one = Math.max(1, at - level.shown + 1); one <= at; one += 1) {
    const shown = style.get(one);
    const number = listNumber(shown?.format ?? "none", counts[one] ?? shown?.start ?? 1);
    if (number !== "") numbers.push(number);
  }
  return `${level.prefix}${numbers.join(".")}${level.suffix} `;
}

function levelOf(attributes: Attributes): Level {
  const format = attribute(attributes, "num-format") ?? "";
  return {
    format: format === "" ? "none" : (formats[[...format][0] ?? ""] ?? "decimal"),
    prefix: attribute(attributes, "num-prefix") ?? "",
    suffix: attribute(attributes, "num-suffix") ?? "",
    start: numberOf(attributes, "start-value", 1),
    shown: numberOf(attributes, "display-levels", 1),
  };
}
