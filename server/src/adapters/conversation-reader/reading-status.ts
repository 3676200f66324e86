// What came of a reading, as the exit status of its process.
import type { ImportError } from "@plumb/protocol/wire/imports";

/** Lower ones are Node's and the shell's. */
const STATUS = { UNSUPPORTED_FORMAT: 64, UNREADABLE: 65, LOCKED: 66, TOO_LARGE: 67 } as const;

/** What of the whole upload a reading process may tell. */
export type UploadProblem = keyof typeof STATUS;

export function statusOf(problem: UploadProblem): number {
  return STATUS[problem];
}

/** Null for a status that no reading process chooses: it broke down. */
export function problemOfStatus(status: number): ImportError | null {
  const found = Object.entries(STATUS).find(([, one]) => one === status);
  return found === undefined ? null : (found[0] as UploadProblem);
}
