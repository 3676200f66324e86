// Which of the files that were chosen may be uploaded, and what is said of the others (requirements 1§5). Pure.
import { LIMITS } from "@plumb/protocol/limits";
import { cleanFileName, fileProblem, type FileProblem } from "@plumb/protocol/rules/upload-rules";
import type { LocalFile } from "../browser.ts";
import type { Text } from "../text.ts";

export interface FileLimits {
  /** Of a session. */
  maxFiles: number;
  /** Bytes of one file. */
  maxBytes: number;
  /** Of file names, in lower case. */
  extensions: readonly string[];
}

export interface Accepted {
  files: readonly LocalFile[];
  /** A notice for each kind of problem. */
  refusals: readonly Text[];
}

const PROBLEM_TEXTS: Record<FileProblem, { key: string }> = {
  FileNameEmpty: { key: "fileNameEmptyAmong" },
  FileNameTooLong: { key: "fileNameTooLongAmong" },
  UnsupportedFormat: { key: "dragFileErrorTip" },
  FileSizeEmpty: { key: "fileSizeEmptyAmong" },
  FileTooLarge: { key: "uploadMax100MBSize" },
};

/** So many names are told; the others are counted by an ellipsis. */
const NAMES_TOLD = 2;

function namesOf(files: readonly LocalFile[]): string {
  const told = files.slice(0, NAMES_TOLD).map(({ name }) => cleanFileName(name));
  return files.length > NAMES_TOLD ? `${told.join(", ")}, …` : told.join(", ");
}

/**
 * All are refused when they are too many beside the `present` ones; of fewer, each that cannot be uploaded is, and the
 * others stay.
 */
export function acceptFiles(chosen: readonly LocalFile[], present: number, limits: FileLimits): Accepted {
  const { maxFiles, maxBytes, extensions } = limits;
  if (present + chosen.length > maxFiles) {
    return { files: [], refusals: [{ key: "uploadMax50Files", params: { max: maxFiles } }] };
  }
  const refused = new Map<FileProblem, LocalFile[]>();
  const files = chosen.filter((file) => {
    const { name, size } = file;
    const tooLarge = size > Math.min(maxBytes, LIMITS.fileBytes) ? "FileTooLarge" : null;
    const problem = fileProblem({ name: cleanFileName(name), bytes: size }, extensions) ?? tooLarge;
    if (problem !== null) refused.set(problem, [...(refused.get(problem) ?? []), file]);
    return problem === null;
  });
  const refusals = [...refused].map(([problem, those]) => ({
    ...PROBLEM_TEXTS[problem],
    params: { names: namesOf(those), max: Math.round(maxBytes / 1024 / 1024) },
  }));
  return { files, refusals };
}
