// The program of the process that reads one upload: it is open as 3, the records go to 4, and its only word says how.
import { InputFile } from "../../../platform/isolation/input-file.ts";
import type { UploadToRead } from "../../../ports/conversation-reader.ts";
import { statusOf } from "../reading-status.ts";
import { RecordSink } from "./record-sink.ts";
import { UploadError } from "./upload-error.ts";
import { writeRecords } from "./write-records.ts";

const BROKE = 1;

process.on("uncaughtException", end);
process.on("unhandledRejection", end);

const [how = "{}"] = process.argv.slice(2);
const sink = new RecordSink(4);
try {
  await writeRecords(new InputFile(3), sink, JSON.parse(how) as Omit<UploadToRead, "path" | "recordsPath">);
  sink.flush();
} catch (error) {
  end(error);
}
process.exit(0);

function end(error: unknown): never {
  // What was read before stands.
  sink.flush();
  process.exit(error instanceof UploadError ? statusOf(error.problem) : BROKE);
}
