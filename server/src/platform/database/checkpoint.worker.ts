// A thread that moves pages of SQLite's log into the database file: that waits for the disk.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CheckpointAnswer, CheckpointTask, LogState } from "./checkpoints.ts";

const connection = new DatabaseSync((workerData as { file: string }).file, { timeout: 0 });
// The log reaches the disk before the file is written, and the file before the log is begun anew.
connection.exec("pragma synchronous = full");
const pass = connection.prepare("pragma wal_checkpoint(passive)");
const empty = connection.prepare("pragma wal_checkpoint(truncate)");
const look = connection.prepare("pragma wal_checkpoint(noop)");

parentPort?.on("message", (task: CheckpointTask) => {
  if (task !== "close") return parentPort?.postMessage(answer(task === "pass" ? pass : empty));
  connection.close();
  parentPort?.close();
});

/** A pass tells of the log as it was at its begin; others have written since. */
function answer(work: StatementSync): CheckpointAnswer {
  try {
    work.get();
    return { state: look.get() as unknown as LogState };
  } catch (error) {
    return { error };
  }
}
