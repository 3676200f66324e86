// A Jupyter notebook: its cells and what they printed, without pictures.
import { decodedText } from "./decoded-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import type { TextSink } from "./text-sink.ts";

/** Throws 40003 when it is no notebook. */
export function readNotebook(input: InputFile, sink: TextSink): void {
  for (const cell of listOf(parsed(Array.from(decodedText(input)).join("")), "cells")) {
    const kind = fieldOf(cell, "cell_type");
    sink.line(
      kind === "code"
        ? `\`\`\`\n${textOf(fieldOf(cell, "source"))}\n\`\`\``
        : textOf(fieldOf(cell, "source")),
    );
    for (const output of listOf(cell, "outputs")) {
      const data = fieldOf(output, "data");
      const text = textOf(fieldOf(output, "text")) || textOf(fieldOf(data, "text/plain"));
      if (text !== "") sink.line(text);
    }
    sink.write("\n");
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReadingError(40_003, String(error));
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** A notebook keeps a text as a string or as a list of lines. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === "string").join("");
  return typeof value === "string" ? value : "";
}
