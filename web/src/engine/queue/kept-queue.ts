// What is known of queued messages, kept in the browser for the next load of the page and for other tabs. Only one user's.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";
import { KEPT_QUEUE } from "../sessions/kept-under.ts";
import { WHY_TEXTS, type Queued } from "./queue-rules.ts";

type Storage = Pick<Browser, "storage">;

const PHASES: readonly unknown[] = ["waiting", "sending", "kept"] satisfies Queued["phase"][];

function isQueued(value: unknown): value is Queued {
  if (!isRecord(value) || !isRecord(value["modes"])) return false;
  const { phase, awaits, why, files, clientStreamId } = value;
  const { thinking, search, model } = value["modes"];
  return (
    PHASES.includes(phase) &&
    Number.isFinite(awaits) &&
    (why === null || (typeof why === "string" && Object.hasOwn(WHY_TEXTS, why))) &&
    Number.isFinite(files) &&
    typeof clientStreamId === "string" &&
    [thinking, search].every((mode) => typeof mode === "boolean") &&
    typeof model === "string"
  );
}

/** Of this user, by session; it may have been written by anybody. */
export function readKeptQueue({ storage }: Storage, userId: string): Readonly<Record<string, Queued>> {
  const parsed = parseJson(storage.get(KEPT_QUEUE) ?? "");
  if (!parsed.ok || !isRecord(parsed.value) || parsed.value["owner"] !== userId) return {};
  const { byKey } = parsed.value;
  return Object.fromEntries(
    Object.entries(isRecord(byKey) ? byKey : {}).filter((entry): entry is [string, Queued] =>
      isQueued(entry[1]),
    ),
  );
}

/** Keeps what is known of the message of this session, null for nothing; those of others stay, since other tabs keep theirs there. */
export function writeKeptQueue(browser: Storage, userId: string, key: string, queued: Queued | null): void {
  const { [key]: _old, ...others } = readKeptQueue(browser, userId);
  const byKey = queued === null ? others : { ...others, [key]: queued };
  if (Object.keys(byKey).length === 0) browser.storage.remove(KEPT_QUEUE);
  else browser.storage.set(KEPT_QUEUE, JSON.stringify({ owner: userId, byKey }));
}
