import { createContext, useContext } from "react";
import type { AlertKind } from "./block-rules.ts";

/** The visible texts of drawn markdown, in the reader's language. */
export interface MarkdownLabels {
  copy: string;
  copied: string;
  copyFailed: string;
  download: string;
  /** Switches of a diagram block. */
  showCode: string;
  showDiagram: string;
  drawing: string;
  diagramFailed: string;
  /** Why a diagram that asks for something from outside stays code. */
  diagramOutside: string;
  /** Said before the number of a cited page. */
  source: string;
  /** Shows what HTML does. */
  run: string;
  downloadPicture: string;
  downloadCode: string;
  /** Said of a fence without a language. */
  plainText: string;
  /** Names of scroll regions. */
  code: string;
  table: string;
  diagram: string;
  /** Said before the words of a picture that is not loaded. */
  picture: string;
  taskDone: string;
  taskOpen: string;
  /** Said before the mark of a footnote, and of the way back from the note. */
  footnote: string;
  footnoteBack: string;
  /** Titles of notes in quotations. */
  alerts: Record<AlertKind, string>;
  /** Called when a diagram could not be drawn or is empty: the page says so beside the note at the block. */
  onDiagramFailed?: () => void;
  /** Runs HTML beside the text. Without it no code block offers that. */
  onRun?: (language: string, code: string) => void;
}

/** Provided once by the frame of the page. */
export const MarkdownLabelsContext = createContext({} as MarkdownLabels);

/** The texts in use here. */
export function useMarkdownLabels(): MarkdownLabels {
  return useContext(MarkdownLabelsContext);
}
