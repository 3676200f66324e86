// The one file of a multipart body: from the socket through the object store to a row that its owner sees, or nothing at all.
import { cleanFileName } from "@plumb/protocol/rules/upload-rules";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import type { ByteSource } from "../../platform/http/body-reader.ts";
import { multipartParts, type Part } from "../../platform/http/multipart.ts";
import type { SignedInContext } from "../../platform/http/route.ts";
import type { HeldJob, JobRunner } from "../../platform/jobs/job-runner.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { ObjectKey } from "../../ports/object-store.ts";
import { lockUser } from "../accounts/user-store.ts";
import { badBody, nextFile, piecesOf } from "./sent-file.ts";

/** What an upload becomes. What its functions throw refuses it. */
export interface Reception<Row> {
  /** The subject of its job. */
  id: string;
  /** Of the job that removes what has come where this process dies, or the sender goes. */
  kind: string;
  /** How many of the kind one user may send at once to one process, those included whose file has not begun; over it, what refuses. */
  most: { atOnce: number; whenMore: RefusalCode };
  /** Where its bytes go. */
  key: ObjectKey;
  checkName(name: string): void;
  /** In the transaction that makes the job, which holds the user. */
  begin(trx: Trx, name: string): Promise<void>;
  /** Asked before the first byte; the answer is told of how many there are so far. */
  limit(): Promise<(bytes: number) => void>;
  whenEmpty: RefusalCode;
  /** All bytes are there: holds the user, after a file where it is one (user-store.ts, lockUser), and passes the job on. */
  end(trx: Trx, job: HeldJob, bytes: number): Promise<Row>;
  /** Removes what has come, as whoever runs the job does. */
  drop(job: HeldJob): Promise<void>;
  /** It could not be stored. */
  whenBroken: RefusalCode;
}

/** Bodies that are being taken, by kind and user. */
const open = new Map<string, number>();

interface Context extends Pick<Deps, "db" | "ports"> {
  jobs: JobRunner;
}

/**
 * Takes the part `file`. What refuses it without its bytes does so before they are read. Throws Refusal and GlobalRefusal; then
 * nothing of it is left, also when its sender goes, or this process dies.
 */
export async function receiveUpload<Row>(
  context: Context,
  caller: SignedInContext,
  body: ByteSource,
  reception: Reception<Row>,
): Promise<Row> {
  const { most } = reception;
  const sender = `${reception.kind} ${caller.user.id}`;
  // A body can trickle in for long before its file begins, which is when its job is counted.
  if ((open.get(sender) ?? 0) >= most.atOnce) throw new Refusal(most.whenMore);
  open.set(sender, (open.get(sender) ?? 0) + 1);
  const parts = multipartParts(body);
  try {
    const part = await nextFile(parts);
    if (part === null) throw badBody("file", "required");
    const name = cleanFileName(part.fileName ?? "");
    reception.checkName(name);
    const { id: subject, kind } = reception;
    const userId = caller.user.id;
    return await context.jobs.own(
      { subject, kind, user_id: userId },
      async (trx) => {
        await lockUser(context.db, trx, userId);
        await reception.begin(trx, name);
      },
      async (job) => {
        try {
          return await takeBytes(context, job, { part, parts, reception });
        } catch (error) {
          await dropUpload(caller, job, reception);
          if (error instanceof Refusal || error instanceof GlobalRefusal) throw error;
          caller.log.error({ err: error, subject }, "an upload could not be stored");
          throw new Refusal(reception.whenBroken);
        }
      },
    );
  } finally {
    const left = (open.get(sender) ?? 1) - 1;
    if (left > 0) open.set(sender, left);
    else open.delete(sender);
    await parts.return(undefined);
  }
}

interface Incoming<Row> {
  part: Part;
  /** What comes after the part. */
  parts: AsyncGenerator<Part>;
  reception: Reception<Row>;
}

async function takeBytes<Row>(
  { db, ports }: Context,
  job: HeldJob,
  { part, parts, reception }: Incoming<Row>,
): Promise<Row> {
  const check = await reception.limit();
  const bytes = await ports.objectStore.put(reception.key, piecesOf(part, check, job.signal));
  if (bytes === 0) throw new Refusal(reception.whenEmpty);
  if ((await nextFile(parts)) !== null) throw badBody("file", "more than one");
  return db.transaction((trx) => reception.end(trx, job, bytes));
}

/** What cannot be removed now is so by whoever runs the job next. */
async function dropUpload<Row>(
  { log }: Pick<SignedInContext, "log">,
  job: HeldJob,
  { drop }: Pick<Reception<Row>, "drop">,
): Promise<void> {
  try {
    await drop(job);
  } catch (error) {
    log.warn({ err: error, subject: job.row.subject }, "a broken upload is removed later");
  }
}

/** The job of an upload whose process died, or whose sender went. Nothing is done where it is lost: then its bytes are wanted. */
export async function endDeadUpload(
  { db, ports }: Pick<Deps, "db" | "ports">,
  job: HeldJob,
  { keys, deleteRow }: { keys: readonly ObjectKey[]; deleteRow(trx: Trx, id: string): Promise<void> },
): Promise<void> {
  await db.transaction((trx) => job.hold(trx));
  await ports.objectStore.remove([...keys]);
  await db.transaction(async (trx) => {
    await deleteRow(trx, job.row.subject);
    await job.finish(trx);
  });
}
