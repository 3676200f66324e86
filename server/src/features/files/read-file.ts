// The job that gives a file its text: PENDING → PARSING → an end status (wire-contract.md §12.1, §18.7).
import { createReadStream } from "node:fs";
import { mkdir, readFile as readWhole, rm } from "node:fs/promises";
import { LIMITS } from "@plumb/protocol/limits";
import { extensionOf } from "@plumb/protocol/rules/upload-rules";
import { ParseError, type ParseErrorCode } from "@plumb/protocol/wire/files";
import type { FileStatus } from "@plumb/protocol/conversation/file-info";
import { countTokens } from "../../platform/count-tokens.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import type { ReadDocument } from "../../ports/document-reader.ts";
import { NoSuchObject } from "../../ports/object-store.ts";
import { screenText } from "../moderation/screen-text.ts";
import { contentKey, textKey } from "./file-keys.ts";
import { type FileRow, markParsing, storeParsed } from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { fileAsPrompt } from "./prompt-files.ts";
import { scratchPath, sweepEarlier } from "./scratch-files.ts";

const LATER_MS = 10_000;
/** A file whose reading breaks the reader, or the process, so often is not read again. */
const MOST_ATTEMPTS = 3;

interface Outcome {
  status: FileStatus;
  error_code: ParseErrorCode | null;
  tokens: number;
  text_bytes: number;
}

/** Reads the file of the job and stores what became of it. */
export async function readFile(context: FilesContext, job: HeldJob): Promise<void> {
  const { db, ports } = context;
  const now = () => ports.clock.now();
  const file = await markParsing(db.kysely, job.row.subject, now());
  if (file === undefined) {
    await db.transaction((trx) => job.finish(trx));
    return;
  }
  const outcome =
    job.row.attempts >= MOST_ATTEMPTS ? failed(ParseError.ExtractorCrashed) : await read(context, job, file);
  if (outcome === "later" || outcome === "long") {
    await storeParsed(db.kysely, file.id, { ...nothing, status: "PENDING", updated_at: now() });
    await (outcome === "later" ? job.putOff(LATER_MS) : job.leaveShortPlace());
    return;
  }
  await db.transaction(async (trx) => {
    await storeParsed(trx, file.id, { ...outcome, updated_at: now() });
    await job.finish(trx);
  });
}

const nothing = { error_code: null, tokens: 0, text_bytes: 0 };

async function read(context: FilesContext, job: HeldJob, file: FileRow): Promise<Outcome | "later" | "long"> {
  const { ports, scratch } = context;
  const { signal } = job;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  await sweepEarlier(scratch, job.row);
  const textPath = scratchPath(scratch, job.row);
  try {
    const how = {
      extension: extensionOf(file.name),
      textPath,
      limits: { bytes: LIMITS.fileTextBytes, tokens: LIMITS.tokenBudget },
      isShort: job.isShort,
    };
    const result = await ports.objectStore.withFile(contentKey(file.id), (path) =>
      ports.documentReader.read({ path, ...how }, signal),
    );
    if (result.kind === "later" || result.kind === "long") return result.kind;
    if (result.kind === "text") return await keepText(context, job, file, { ...result, textPath });
    return endOf(result);
  } catch (error) {
    if (error instanceof NoSuchObject) {
      context.log.error({ err: error, file: file.id }, "the bytes of a file are gone");
      return failed(ParseError.Corrupt);
    }
    throw error;
  } finally {
    await rm(textPath, { force: true });
  }
}

/** Throws where the reader broke down: that may have been another's fault, and is tried again. */
function endOf(result: Exclude<ReadDocument, { kind: "text" | "later" | "long" }>): Outcome {
  if (result.kind === "too-long") return { ...nothing, status: "CONTENT_TOO_LONG" };
  if (result.errorCode === ParseError.ExtractorCrashed)
    throw new Error("the reader of a document broke down");
  return failed(result.errorCode);
}

const emptyCodes: readonly ParseErrorCode[] = [
  ParseError.NoText,
  ParseError.ImageWithoutText,
  ParseError.ScanWithoutText,
  ParseError.WhiteSpaceOnly,
  ParseError.PicturesNotRead,
];

function failed(errorCode: ParseErrorCode): Outcome {
  return {
    ...nothing,
    status: emptyCodes.includes(errorCode) ? "CONTENT_EMPTY" : "FAILED",
    error_code: errorCode,
  };
}

async function keepText(
  { ports, config }: FilesContext,
  { signal }: HeldJob,
  file: FileRow,
  { bytes, tokens, textPath }: { bytes: number; tokens: number; textPath: string },
): Promise<Outcome> {
  const all = tokens + (await countTokens(fileAsPrompt(file, "")));
  if (all > LIMITS.tokenBudget) return { ...nothing, status: "CONTENT_TOO_LONG" };
  if (ports.contentFilter !== null) {
    // No text is longer than fileTextBytes.
    const verdict = await screenText(ports.contentFilter, await readWhole(textPath, "utf8"), signal);
    signal.throwIfAborted();
    const blocked = verdict === "unknown" && config.contentFilter.whenUnknown === "block";
    if (verdict === "refused" || blocked) return { ...nothing, status: "CONTENT_FILTER" };
  }
  await ports.objectStore.put(textKey(file.id), createReadStream(textPath) as AsyncIterable<Uint8Array>);
  return { status: "SUCCESS", error_code: null, tokens: all, text_bytes: bytes };
}
