// Tells an account's owner what happened to it, by mail, or by text message where there is no address (wire-contract.md §19.9).
//
// A job sends it, so that neither a crash nor a mail server that is away keeps it from them, and nobody waits for it. The job's
// subject says all that is told: no address and no link stands in it.
import { randomBytes } from "node:crypto";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { RemovableKind } from "@plumb/protocol/wire/bindings";
import type { Database, Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { insertJob } from "../../platform/jobs/job-store.ts";
import { readKeptAddress } from "../../platform/kept-address.ts";
import { siteAddress } from "../../platform/start-lines.ts";
import type { Notice } from "../../ports/mailer.ts";
import { signUndoToken } from "./undo-token.ts";
import { findUser, type UserRow } from "./user-store.ts";

export const NOTICE_JOB = "account-notice";

/** Retries come ever later, a minute apart at last: a mail server may be away for some hours. A text message costs money. */
const TRIES = { email: 240, sms: 3 };

export interface NoticeOrder {
  userId: string;
  about: Notice["about"];
  /** Unix ms; of a binding when it was made. */
  atMs: number;
  locale: Locale;
}

/** Orders the notice in the transaction of what it tells. It is sent within a second after that. */
export async function tellOwner(db: Database, trx: Trx, order: NoticeOrder): Promise<void> {
  const { userId, about, atMs, locale } = order;
  const subject = [NOTICE_JOB, userId, about, atMs, locale, randomBytes(6).toString("hex")].join(".");
  await insertJob(db, trx, { subject, kind: NOTICE_JOB, user_id: userId });
}

/** Sends the notice of such a job, and ends the job: also where there is nobody to tell, and where it cannot be sent for long. */
export async function sendNotice(deps: Deps, job: HeldJob): Promise<void> {
  const { db, ports, log } = deps;
  const order = readOrder(job.row.subject);
  const user = await findUser(db.kysely, { id: order.userId });
  const recipient = user === undefined ? null : recipientOf(user, order);
  if (recipient === null)
    log.warn({ user: order.userId, about: order.about }, "there is no address to send a notice to");
  else {
    const { channel, to } = recipient;
    const message = { to, notice: noticeOf(deps, order), locale: order.locale };
    try {
      await (channel === "email" ? ports.mailer.sendNotice(message) : ports.smsSender.sendNotice(message));
    } catch (error) {
      if (job.row.attempts + 1 < TRIES[channel]) throw error;
      log.error({ err: error, user: order.userId, about: order.about }, "a notice was not sent");
    }
  }
  await db.transaction((trx) => job.finish(trx));
}

/** Without an address the phone is told that was bound before, where there was one lately: the new one may be a stranger's. */
function recipientOf(
  { email, mobile, former_mobile, former_mobile_until }: UserRow,
  { about, atMs }: NoticeOrder,
): { channel: "email" | "sms"; to: string } | null {
  if (email !== null) return { channel: "email", to: email };
  const former = former_mobile_until !== null && former_mobile_until > atMs ? former_mobile : null;
  const phone = former ?? (about === "phone_bound" ? null : mobile);
  return phone === null ? null : { channel: "sms", to: `+86${phone}` };
}

function readOrder(subject: string): NoticeOrder {
  const [, userId = "", about, at, locale] = subject.split(".");
  return {
    userId,
    about: about as Notice["about"],
    atMs: Number(at),
    locale: locale as Locale,
  };
}

const bound = {
  phone_bound: "phone",
  wechat_bound: "wechat",
  google_bound: "google",
} as const satisfies Partial<Record<Notice["about"], RemovableKind>>;

function noticeOf({ config, secretKey }: Deps, { userId, about, atMs }: NoticeOrder): Notice {
  if (about !== "phone_bound" && about !== "wechat_bound" && about !== "google_bound")
    return { about, link: null };
  const token = signUndoToken(secretKey, { userId, kind: bound[about], boundAt: atMs });
  // Never what a request calls this server: whoever bound something could send its owner to a server of their own. Behind the
  // "#", because programs that look at mails follow links, and logs keep them.
  const { host, port } = readKeptAddress(config.dataDir) ?? config;
  const site = siteAddress({ host, publicUrl: config.publicUrl }, port);
  return { about, link: `${site}/undo_binding#${token}` };
}
