// What the parts of this feature are given.
import type { Deps } from "../../platform/deps.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";

export interface FilesContext extends Deps {
  jobs: JobRunner;
  /** A folder on this machine for what is being read. */
  scratch: string;
}
