// The marks by which the notes of a Word document are found: no text of it holds them.
import { listNumber } from "./list-numbers.ts";

type Kind = "footnote" | "endnote";

/** Footnotes count in digits, endnotes in Roman ones, as Word does. */
const formats = { footnote: "decimal", endnote: "lowerRoman" } as const;

export class NoteMarks {
  readonly #marks = { footnote: new Map<string, string>(), endnote: new Map<string, string>() };

  /** The mark of a note where the text refers to it: "[1]". */
  refer(kind: Kind, id: string): string {
    const known = this.#marks[kind];
    const mark = known.get(id) ?? `[${listNumber(formats[kind], known.size + 1)}]`;
    known.set(id, mark);
    return mark;
  }

  /** What stands before a note; "" for one that nothing refers to. */
  before(kind: Kind, id: string): string {
    const mark = this.#marks[kind].get(id);
    return mark === undefined ? "" : `${mark} `;
  }
}
