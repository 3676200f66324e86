// What a reading writes before it is stored: a file in a folder of this machine, named by what is read and by the epoch of
// the job, so that whoever claims the job after a death knows what the dead one has left.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../platform/error-words.ts";
import type { JobRow } from "../../platform/jobs/job-store.ts";

type Reading = Pick<JobRow, "subject" | "epoch">;

/** `ID.EPOCH`, and others that begin so. */
const NAME = /^((?:file|import)-[0-9a-f-]{36})\.(\d+)(?:\.|$)/u;

export function scratchPath(folder: string, { subject, epoch }: Reading): string {
  return join(folder, `${subject}.${epoch}`);
}

/** What lies in the folder, by the readings that wrote it; null for what none has. */
export async function listScratch(folder: string): Promise<{ name: string; of: Reading | null }[]> {
  const names = await namesIn(folder);
  return names.map((name) => {
    const [, subject = "", epoch = ""] = NAME.exec(name) ?? [];
    return { name, of: subject === "" ? null : { subject, epoch: Number(epoch) } };
  });
}

/** Removes what is not wanted. A process that is still at it has lost its job: its file is gone, and its reading breaks. */
export async function sweepScratch(
  folder: string,
  isWanted: (reading: Reading | null) => boolean,
): Promise<void> {
  for (const { name, of } of await listScratch(folder)) {
    if (!isWanted(of)) await rm(join(folder, name), { force: true, recursive: true });
  }
}

/** Removes what earlier holders of the job have left. */
export async function sweepEarlier(folder: string, job: Reading): Promise<void> {
  await sweepScratch(folder, (reading) => reading?.subject !== job.subject || reading.epoch >= job.epoch);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
