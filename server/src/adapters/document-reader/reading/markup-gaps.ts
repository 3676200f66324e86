// What stands between the words of markup: a space, the end of a line, or a tab for each column of a table that lies between. Pure.

/** Columns without words may not fill a line with tabs. */
const mostTabs = 256;
/** What HTML itself allows. */
const mostColumns = 1000;
const mostRows = 65_534;

interface Table {
  /** Where the next cell stands. */
  column: number;
  /** By column: in so many rows below stands a cell of a row above. */
  taken: number[];
}

const whole = (text: string | undefined, most: number): number =>
  Math.max(1, Math.min(most, Math.trunc(Number(text)) || 1));

export class MarkupGaps {
  /** "", a space, or tabs, with the end of a line before them. */
  #due = "";
  #tables: Table[] = [];
  #isRowNew = false;
  /** In a cell in which nothing stands yet. */
  #isCellNew = false;
  #wasCellEmpty = false;
  /** The cell has more than one line. */
  #hasLines = false;
  /** Columns that the last cell takes besides its own. */
  #more = 0;

  space(): void {
    if (this.#due === "") this.#due = " ";
  }

  /** The beginning or the end of a block. A cell begins no line by a block that it begins with. */
  line(): void {
    if (!this.#isCellNew) this.#due = "\n";
  }

  openTable(): void {
    this.line();
    this.#tables.push({ column: 0, taken: [] });
  }

  openRow(): void {
    this.#endRow();
    const table = this.#tables.at(-1);
    if (table !== undefined) table.column = 0;
    this.#isRowNew = true;
  }

  closeRow(): void {
    this.#endRow();
    const table = this.#tables.at(-1);
    if (table !== undefined) for (; table.column < table.taken.length; table.column += 1) passRow(table);
  }

  #endRow(): void {
    this.#isCellNew = false;
    this.#more = 0;
    this.#due = "\n";
  }

  /** `columns` and `rows`: over how many it stands, as its attributes say. */
  openCell({ columns, rows }: { columns?: string | undefined; rows?: string | undefined } = {}): void {
    if (this.#isRowNew) this.#isRowNew = false;
    else if (this.#wasCellEmpty) this.#addTabs(1);
    else if (!this.#hasLines || this.#due !== "\n") this.#due = "\t";
    this.#addTabs(this.#more + this.#place(whole(columns, mostColumns), whole(rows, mostRows)));
    this.#more = whole(columns, mostColumns) - 1;
    this.#isCellNew = true;
    this.#wasCellEmpty = false;
    this.#hasLines = false;
  }

  #addTabs(count: number): void {
    const room = Math.max(0, mostTabs - this.#due.length);
    this.#due += "\t".repeat(Math.min(room, count));
  }

  /** Puts a cell into its table; the result is how many columns before it are taken by cells of rows above. */
  #place(columns: number, rows: number): number {
    const table = this.#tables.at(-1);
    if (table === undefined) return 0;
    const { taken } = table;
    const first = table.column;
    while ((taken[table.column] ?? 0) > 0) {
      passRow(table);
      table.column += 1;
    }
    const passed = table.column - first;
    const end = Math.min(mostColumns, table.column + columns);
    for (; table.column < end; table.column += 1) taken[table.column] = rows - 1;
    return passed;
  }

  closeCell(): void {
    this.#wasCellEmpty = this.#isCellNew;
    this.#isCellNew = false;
  }

  /** A table that stands in a cell, for the sake of the page's layout, makes lines of it. */
  closeTable(): void {
    this.line();
    this.#tables.pop();
    this.#wasCellEmpty = false;
    this.#isRowNew = false;
    this.#more = 0;
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

function passRow({ column, taken }: Table): void {
  taken[column] = Math.max(0, (taken[column] ?? 0) - 1);
}
