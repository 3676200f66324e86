// What passes through a browser during a sign-in at a provider: a state, a nonce, a signature. Each is a random ticket, good
// once, for a while, in the browser that began, and for one purpose (wire-contract.md §8.7–§8.12).
//
// Stored is its hash, and what it stands for sealed with the ticket itself: whoever reads the table can use nothing of it.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { Queryable } from "../../platform/database/database.ts";
import { findTicket, insertTicket, takeTicketRow, type TicketKey } from "./ticket-store.ts";

export type TicketKind =
  "google-state" | "google-nonce" | "wechat-state" | "wechat-nonce" | "wechat-signature";

interface TicketUse {
  kind: TicketKind;
  ticket: string;
  /** The value of the browser's cookie. */
  browser: string;
}

const TICKET = /^[A-Za-z0-9_-]{43}$/u;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** 43 characters, 256 random bits. */
export function randomTicket(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text can be a ticket. */
export function isTicket(text: string): boolean {
  return TICKET.test(text);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function keyOf({ kind, ticket, browser }: TicketUse): TicketKey {
  return { ticket_hash: hashOf(ticket), kind, browser_hash: hashOf(browser) };
}

function sealingKey(ticket: string): Buffer {
  return Buffer.from(hkdfSync("sha256", ticket, "", "oauth ticket", 32));
}

function seal(ticket: string, content: unknown): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(ticket), iv);
  const sealed = [cipher.update(JSON.stringify(content), "utf8"), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
}

function unseal(ticket: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(ticket), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return JSON.parse(Buffer.concat(text).toString("utf8"));
}

/** Keeps `content`, a value of JSON, for `lifeMs` under a ticket. `ticket` is made new where the caller has none. */
export async function issueTicket(
  q: Queryable,
  { kind, browser, content, lifeMs }: { kind: TicketKind; browser: string; content: unknown; lifeMs: number },
  nowMs: number,
  ticket = randomTicket(),
): Promise<string> {
  const key = keyOf({ kind, ticket, browser });
  await insertTicket(q, { ...key, content: seal(ticket, content), expires_at: nowMs + lifeMs });
  return ticket;
}

/** What the ticket stands for; undefined for one that is unknown, used, expired, of another kind or another browser. */
export async function takeTicket(q: Queryable, use: TicketUse, nowMs: number): Promise<unknown> {
  if (!isTicket(use.ticket)) return undefined;
  const row = await takeTicketRow(q, keyOf(use));
  return row === undefined || row.expires_at <= nowMs ? undefined : unseal(use.ticket, row.content);
}

/** As `takeTicket`, and the ticket stays good. */
export async function readTicket(q: Queryable, use: TicketUse, nowMs: number): Promise<unknown> {
  if (!isTicket(use.ticket)) return undefined;
  const row = await findTicket(q, keyOf(use));
  return row === undefined || row.expires_at <= nowMs ? undefined : unseal(use.ticket, row.content);
}
