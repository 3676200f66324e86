// What the parts of this feature are given.
import type { Deps } from "../../platform/deps.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import type { FilesFeature } from "../files/files-feature.ts";

export interface ImportsContext extends Deps {
  jobs: JobRunner;
  rates: RateLimits;
  storeText: FilesFeature["storeText"];
  /** A folder on this machine for what is being read. */
  scratch: string;
}
