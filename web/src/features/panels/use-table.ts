import { useEffect, useState } from "react";
import { MOST_ROWS, readRows, separatorOf } from "./table-rows.ts";

/** Rows are read for so long at a time (milliseconds): what the user does goes before. */
const SLICE_MS = 8;
/** Cells of so many rows say how wide a column is. */
const MEASURED_ROWS = 200;
const NARROWEST = 4;
const WIDEST = 28;

export interface Table {
  rows: readonly (readonly string[])[];
  /** Widths in characters. */
  columns: readonly number[];
  /** There are more rows than are shown. */
  isCut: boolean;
}

/** A full-width character takes two places. */
function places(cell: string): number {
  return cell.length + (cell.match(/[\u2e80-\uffef]/g)?.length ?? 0);
}

function widths(rows: readonly (readonly string[])[]): number[] {
  const widest: number[] = [];
  for (const row of rows.slice(0, MEASURED_ROWS)) {
    row.forEach((cell, column) => {
      const wanted = Math.min(WIDEST, Math.max(NARROWEST, places(cell)));
      widest[column] = Math.max(widest[column] ?? 0, wanted);
    });
  }
  return widest;
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
        const { done, value } = reader.next();
        if (done === true || rows.length === MOST_ROWS) {
          return setTable({ rows, columns: widths(rows), isCut: done !== true });
        }
        rows.push(value);
        if (performance.now() >= until) break;
      }
      timer = window.setTimeout(readOn, 0);
    }
    readOn();
    return () => clearTimeout(timer);
  }, [name, text]);
  return table;
}
