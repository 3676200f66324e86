// Source code, configuration, logs, tables of text: the text as it stands.
import { decodedText } from "./decoded-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import type { TextSink } from "./text-sink.ts";

export function readPlainText(input: InputFile, sink: TextSink): void {
  for (const piece of decodedText(input)) sink.write(piece);
}
