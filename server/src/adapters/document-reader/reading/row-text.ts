// A row of a table as a line: cells parted by tabs, empty ones at the end left out.

/** A cell far to the right may not fill the line with tabs. */
const mostGap = 256;

export class RowText {
  #line = "";
  #gap = 0;

  /** So many cells without text. */
  skip(cells: number): void {
    this.#gap = Math.min(mostGap, this.#gap + cells);
  }

  /** The next cell. */
  add(cell: string): void {
    if (cell.trim() === "") {
      this.skip(1);
      return;
    }
    this.#line += "\t".repeat(this.#gap) + cell.trim().replaceAll(/[\t\r\n]+/g, " ");
    this.#gap = 1;
  }

  /** Of what has been added (UTF-16 units). */
  get length(): number {
    return this.#line.length;
  }

  /** The row, which is over; "" when nothing stands in it. */
  take(): string {
    const line = this.#line;
    this.#line = "";
    this.#gap = 0;
    return line;
  }
}
