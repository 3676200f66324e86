// Asks how far the server is with files, until each has its end (wire-contract.md §12.2).
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { LIMITS } from "@plumb/protocol/limits";
import { fetchFiles } from "@plumb/protocol/wire/files";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import { createPoll, type Asked } from "../poll.ts";

/** While the server answers with faults it is asked less and less often, at last this often (milliseconds). */
const SLOWEST_MS = 30_000;

interface PollFilesDeps {
  browser: Browser;
  api: ApiClient;
  everyMs: number;
  /** Ids of the files without an end. */
  unfinished(): readonly string[];
  /** What the server says of the ids that were asked for; those left out it does not know. */
  onAnswer(asked: readonly string[], files: readonly FileInfo[]): void;
}

export function createFilePoll({ browser, api, everyMs, unfinished, onAnswer }: PollFilesDeps) {
  let isAwake = false;

  function stop(): void {
    isAwake = false;
    poll.stop();
  }

  async function ask(): Promise<Asked> {
    const ids = unfinished().slice(0, LIMITS.fileIdsPerFetch);
    if (ids.length === 0) {
      stop();
      return { outcome: "nothing" };
    }
    const result = await api.call(fetchFiles, { file_ids: ids.join(",") });
    if (!result.ok) return { outcome: "failed", error: result.error };
    onAnswer(ids, result.data.files);
    return { outcome: "answered" };
  }
  const poll = createPoll({ browser, everyMs, slowestMs: SLOWEST_MS, ask });

  return {
    /** Files may be unfinished now. `atOnce`: nothing is known of them yet. */
    wake({ atOnce = false } = {}): void {
      if (!isAwake) poll.start();
      isAwake = true;
      if (atOnce) poll.now();
    },
    stop,
  };
}
