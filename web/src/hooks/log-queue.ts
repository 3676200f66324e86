// What the page has logged, for the debug panel.
import { createStore } from "zustand/vanilla";
import { PERSONAL } from "./personal-pattern.ts";

/** As LIMITS.logQueueEntries (requirements 0§9), which the first load of the page need not bring. */
const ENTRIES = 1000;
/** Of what a line tells in detail, so much is kept. */
const DETAIL_CHARS = 500;

export interface LogLine {
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
}

export const logQueue = createStore<{ lines: readonly LogLine[] }>(() => ({ lines: [] }));

/** Keeps a line; the oldest of more than 1000 go. */
export function keepLog(at: number, message: string, detail?: unknown): void {
  const text = detail === undefined ? message : `${message} ${detailText(detail)}`;
  const line = { at, text };
  // Until what masks it is here, the line says nothing.
  if (PERSONAL.test(text)) {
    line.text = "…";
    void import("./personal-data.ts").then(({ maskPersonal }) => replaceLine(line, maskPersonal(text)));
  }
  logQueue.setState(({ lines }) => ({ lines: [...lines.slice(1 - ENTRIES), line] }));
}

function replaceLine(line: LogLine, text: string): void {
  logQueue.setState(({ lines }) => ({ lines: lines.map((one) => (one === line ? { ...line, text } : one)) }));
}

function detailText(detail: unknown): string {
  if (detail instanceof Error) return String(detail).slice(0, DETAIL_CHARS);
  try {
    return (JSON.stringify(detail) ?? String(detail)).slice(0, DETAIL_CHARS);
  } catch {
    return String(detail).slice(0, DETAIL_CHARS);
  }
}
