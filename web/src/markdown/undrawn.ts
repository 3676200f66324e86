// What stands for what is not drawn yet, so that what is copied has it as it will be drawn (copy-selection.ts).
import type { Block } from "./block-model.ts";
import type { CitedSources } from "./cited-sources.ts";
import type { Grouped } from "./grouped-list.ts";
import type { Growing } from "./parse-env.ts";

/** A text of Markdown on the page. */
export interface ShownText {
  text: string;
  streaming: Growing;
  /** What it cites. */
  sources: CitedSources;
  /** Its blocks so far, and whether they are all of them. */
  blocks: Grouped<Block>;
  isWhole: boolean;
}

/** A part of a message: Markdown, or words as they were typed. */
export type MessagePart = Pick<ShownText, "text" | "streaming" | "sources"> | { said: string };

/** By the element that it is drawn in. Places of its parts have their keys (`data-place`). */
export const shownTexts = new WeakMap<Element, ShownText>();

/** The parts of each message that an element stands for. */
export const undrawnMessages = new WeakMap<Element, () => readonly (readonly MessagePart[])[]>();

/** The words that an element stands for. */
export const undrawnWords = new WeakMap<Element, string>();
