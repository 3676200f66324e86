// DATA_DIR/outbox.jsonl: the codes and notices that no sender is configured for, where the operator finds them.
import { type FileHandle, open, rename } from "node:fs/promises";
import { join } from "node:path";
import PQueue from "p-queue";
import { parseJson } from "@plumb/protocol/wire/json";
import { makeDataFolder } from "./data-folder.ts";
import { codeOf } from "./error-words.ts";

/** One line of the outbox. */
export interface OutboxMessage {
  /** ISO time. */
  at: string;
  channel: "email" | "sms";
  to: string;
  /** What the code is for, or what the notice is about. */
  scenario: string;
  code?: string;
  /** Of a notice: what it is told with to undo what happened, where that can be. */
  link?: string | null;
}

const fileIn = (dataDir: string): string => join(dataDir, "outbox.jsonl");

/** An address has at most 254 characters, a link some 300. */
const LINE_BYTES = 4096;

/** A line that comes while old ones are taken out would be lost. */
const inTurn = new PQueue({ concurrency: 1 });

/** Appends one line in one write to the end of the file, which its owner alone may read. */
export function appendToOutbox(dataDir: string, message: OutboxMessage): Promise<void> {
  return inTurn.add(async () => {
    makeDataFolder(dataDir);
    const file = await open(fileIn(dataDir), "a", 0o600);
    try {
      await file.chmod(0o600);
      await file.write(`${JSON.stringify(message)}\n`);
    } finally {
      await file.close();
    }
  });
}

/** Takes out what was written before then (Unix milliseconds), and what is no message. One line at a time is held. */
export function pruneOutbox(dataDir: string, beforeMs: number): Promise<void> {
  return inTurn.add(async () => {
    if (!(await hasOld(dataDir, beforeMs))) return;
    const next = `${fileIn(dataDir)}.next`;
    const [old, kept] = [await open(fileIn(dataDir)), await open(next, "w", 0o600)];
    try {
      for await (const line of old.readLines()) if (!isOld(line, beforeMs)) await kept.write(`${line}\n`);
    } finally {
      await kept.close();
    }
    await rename(next, fileIn(dataDir));
  });
}

/** The oldest stands first. False also where there is no outbox. */
async function hasOld(dataDir: string, beforeMs: number): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(fileIn(dataDir));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, 0);
    return bytesRead > 0 && isOld(buffer.toString("utf8", 0, bytesRead).split("\n")[0] ?? "", beforeMs);
  } finally {
    await file.close();
  }
}

function isOld(line: string, beforeMs: number): boolean {
  const parsed = parseJson(line);
  const at = parsed.ok ? Date.parse(String((parsed.value as Partial<OutboxMessage> | null)?.at)) : Number.NaN;
  return Number.isNaN(at) || at < beforeMs;
}
