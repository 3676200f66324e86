// What holds for replies whatever happened to the processes and the database under them.
import { expect } from "vitest";
import { checkInvariants } from "../../server/src/operator/check-invariants.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import type { ScriptedUpstream } from "../support/scripted-upstream.ts";
import { compareWithStore } from "./compare-with-store.ts";
import type { Replicas } from "./replicas.ts";

/** Throws when `condition` does not come true within `limitMs`. */
export async function until(condition: () => boolean, limitMs = 15_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("what was waited for did not come");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** All came to their end whole, and what is stored breaks no invariant. */
export async function verifyReplies(
  replicas: Replicas,
  upstream: ScriptedUpstream,
  readers: readonly ReplyReader[],
  label: string,
): Promise<void> {
  await Promise.all(readers.map((reader) => reader.done));
  // Another reader may have got the whole message before the tail was written.
  await until(() => upstream.requests.every((request) => request.state !== "running"));
  const sessions = [...new Set(readers.map(({ options }) => options.sessionId))];
  const leases = async () => {
    const replies = replicas.db.kysely.selectFrom("replies").select("id").where("session_id", "in", sessions);
    return replicas.db.kysely
      .selectFrom("reply_lease")
      .select("reply")
      .where("reply", "in", replies)
      .execute();
  };
  await expect.poll(leases).toEqual([]);
  const { violations } = await checkInvariants(replicas.db, { serverRuns: true, sessions });
  const problems = violations.map(({ invariant, where, what }) => `${invariant} ${where}: ${what}`);
  for (const reader of readers) {
    if (reader.end !== "closed" && reader.end !== "full_message") {
      problems.push(`“${reader.options.prompt}” ended as ${reader.end}`);
    }
    problems.push(...(await compareWithStore(reader, { db: replicas.db, upstream, mayBeDeleted: false })));
  }
  const output = replicas.servers.map((server) => server.output.slice(-1500)).join("\n--\n");
  expect(problems, `${label}\n${output}`).toEqual([]);
}

/** The distinct statuses of the readers' replies as stored. */
export async function storedStatuses(replicas: Replicas, readers: readonly ReplyReader[]): Promise<string[]> {
  const rows = await replicas.db.kysely
    .selectFrom("messages")
    .select("status")
    .where("role", "=", "ASSISTANT")
    .where(
      "session_id",
      "in",
      readers.map(({ options }) => options.sessionId),
    )
    .execute();
  return [...new Set(rows.map((row) => row.status))];
}
