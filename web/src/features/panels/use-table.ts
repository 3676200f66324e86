import { useEffect, useState } from "react";
import { columnWidths } from "./table-columns.ts";
import { MOST_ROWS, readRows, separatorOf } from "./table-rows.ts";

/** Rows are read for so long at a time (milliseconds): what the user does goes before. */
const SLICE_MS = 8;
export interface Table {
  rows: readonly (readonly string[])[];
  /** Widths in characters. */
  columns: readonly number[];
  /** There are more rows, or columns, or longer cells, than are shown. */
  isCut: boolean;
}

/** The table that a text holds, read a little in each task; null until all of it is there. */
export function useTable(name: string, text: string | null): Table | null {
  const [table, setTable] = useState<Table | null>(null);
  useEffect(() => {
    if (text === null) return undefined;
    const reader = readRows(text, separatorOf(name, text));
    const rows: (readonly string[])[] = [];
    let timer = 0;
    function readOn() {
      const until = performance.now() + SLICE_MS;
      for (;;) {
        const next = reader.next();
        if (next.done === true || rows.length === MOST_ROWS) {
          const isCut = next.done !== true || next.value;
          return setTable({ rows, columns: columnWidths(rows), isCut });
        }
        rows.push(next.value);
        if (performance.now() >= until) break;
      }
      timer = window.setTimeout(readOn, 0);
    }
    readOn();
    return () => clearTimeout(timer);
  }, [name, text]);
  return table;
}
