// The program of the process that reads one document: node read-document.ts EXTENSION OUTPUT_BYTES.
import { readerOf } from "./reader-of.ts";
import { runReading } from "./run-reading.ts";

const [extension = "", limit = "0"] = process.argv.slice(2);

await runReading(Number(limit), async (input, sink) => (await readerOf(extension))(input, sink));
