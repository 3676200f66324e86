// What stands between the words of markup: a space, the end of a line, or a tab for each cell of a table that lies between. Pure.

/** Empty cells may not fill a line with tabs. */
const mostTabs = 256;

export class MarkupGaps {
  /** "", a space, or tabs, with the end of a line before them. */
  #due = "";
  #isRowNew = false;
  /** In a cell in which nothing stands yet. */
  #isCellNew = false;
  #wasCellEmpty = false;
  /** The cell has more than one line. */
  #hasLines = false;

  space(): void {
    if (this.#due === "") this.#due = " ";
  }

  /** The beginning or the end of a block. A cell begins no line by a block that it begins with. */
  line(): void {
    if (!this.#isCellNew) this.#due = "\n";
  }

  row(): void {
    this.#isCellNew = false;
    this.#isRowNew = true;
    this.#due = "\n";
  }

  openCell(): void {
    if (this.#isRowNew) this.#isRowNew = false;
    else if (this.#wasCellEmpty) {
      if (this.#due.length < mostTabs) this.#due += "\t";
    } else if (!this.#hasLines || this.#due !== "\n") this.#due = "\t";
    this.#isCellNew = true;
    this.#wasCellEmpty = false;
    this.#hasLines = false;
  }

  closeCell(): void {
    this.#wasCellEmpty = this.#isCellNew;
    this.#isCellNew = false;
  }

  /** A table that stands in a cell, for the sake of the page's layout, makes lines of it. */
  closeTable(): void {
    this.line();
    this.#wasCellEmpty = false;
    this.#isRowNew = false;
    this.#hasLines = true;
  }

  /** What stands before the words that come now. */
  take(): string {
    const due = this.#due;
    if (due.includes("\n") && !this.#isCellNew) this.#hasLines = true;
    this.#due = "";
    this.#isCellNew = false;
    return due;
  }
}
