// The container of the old Office formats: a small file system in a file.
import { CFB } from "@e965/xlsx";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import { requireMark } from "./type-marks.ts";

export interface CompoundFile {
  /** All of it. */
  bytes: Buffer;
  /** A stream by its name; null when there is none. */
  stream(name: string): Buffer | null;
}

/** Throws 40008 when it is no compound file, and 40004 when Office locked a document into it. */
export function openCompoundFile(input: InputFile): CompoundFile {
  requireMark(input, "compound");
  const bytes = input.readAll();
  const container = CFB.read(bytes, { type: "buffer" });
  const stream = (name: string): Buffer | null => {
    const content = CFB.find(container, `/${name}`)?.content;
    return content === undefined ? null : Buffer.from(content as Uint8Array);
  };
  if (stream("EncryptedPackage") !== null) throw new ReadingError(40_004, "encrypted");
  return { bytes, stream };
}
