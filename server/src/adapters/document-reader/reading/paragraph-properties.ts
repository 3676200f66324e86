// What a paragraph of Word says of itself before its text, as far as its number depends on it.
import type { NumberOf } from "./docx-numbering.ts";
import { attribute } from "./xml-parts.ts";

export interface Paragraph extends NumberOf {
  style: string | null;
  /** Taken out, or moved away, while changes are tracked. */
  isGone: boolean;
}

/** Is told of each element; `close` gives the paragraph where its properties end. */
export class ParagraphProperties {
  #depth = 0;
  /** What was, before a change that is tracked. */
  #inChange = 0;
  #paragraph = empty();

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "pPr") {
      if (this.#depth === 0) this.#paragraph = empty();
      this.#depth += 1;
    } else if (this.#depth === 0) return;
    else if (name === "pPrChange") this.#inChange += 1;
    else if (this.#inChange > 0) return;
    else if (name === "numId") this.#paragraph.use = attribute(attributes, "val") ?? null;
    else if (name === "ilvl") this.#paragraph.level = Number(attribute(attributes, "val"));
    else if (name === "pStyle") this.#paragraph.style = attribute(attributes, "val") ?? null;
    else if (name === "del" || name === "moveFrom") this.#paragraph.isGone = true;
  }

  close(name: string): Paragraph | null {
    if (name === "pPrChange") this.#inChange -= 1;
    if (name !== "pPr") return null;
    this.#depth -= 1;
    return this.#depth === 0 ? this.#paragraph : null;
  }
}

const empty = (): Paragraph => ({ style: null, use: null, level: null, isGone: false });
