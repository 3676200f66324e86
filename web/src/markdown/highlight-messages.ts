// What goes between the page and its highlighting worker.
import type { ColouredRun } from "./coloured-chunks.ts";

export interface HighlightRequest {
  id: number;
  language: string;
  chunks: string[];
}

/** `runs` per chunk of the request; null for a language that is not known. */
export interface HighlightAnswer {
  id: number;
  runs: ColouredRun[][] | null;
}
