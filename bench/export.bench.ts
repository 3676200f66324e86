// An export of a large account against a bare read of its rows into one zip, in the same run: messages a second, what the
// process needs in memory, and how long it keeps others waiting. See README.md.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { sql } from "kysely";
import { createFolderObjectStore } from "../server/src/adapters/object-store/folder-object-store.ts";
import { runExport } from "../server/src/features/exports/run-export.ts";
import { newExportId } from "../server/src/features/exports/export-keys.ts";
import { findExport, replaceExport } from "../server/src/features/exports/export-store.ts";
import type { Database } from "../server/src/platform/database/database.ts";
import { openDatabase } from "../server/src/platform/database/open-database.ts";
import type { HeldJob } from "../server/src/platform/jobs/job-runner.ts";
import { createLogger } from "../server/src/platform/logger.ts";
import { writeZip } from "../server/src/platform/zip/write-zip.ts";
import { systemClock } from "../server/src/ports/clock.ts";
import { startPostgres } from "../server/test/postgres.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";
import { fillBy } from "./store/many-messages.ts";

const sessions = Number(process.env["PLUMB_SESSIONS"] ?? 10_000);
const perSession = 20;
const ratioGoal = 0.5;
const memoryGoalMb = 32;
const stallGoalMs = 20;
const rowsPerRead = 1000;
const rounds = 5;
const user = "the-user";

async function fill(db: Database): Promise<void> {
  await sql`insert into users (id, last_seq_id, training_allowed, under_review, created_at)
    values (${user}, ${sessions}, 0, 0, 0)`.execute(db.kysely);
  const id = sql`'00000000-0000-4000-8000-' || substr('000000000000' || (n - 1), -12)`;
  const pgId = sql`'00000000-0000-4000-8000-' || lpad((n - 1)::text, 12, '0')`;
  const count = sql.lit(perSession);
  await fillBy(
    db,
    sessions,
    (
      numbers,
    ) => sql`insert into sessions (id, user_id, seq_id, agent, title, title_type, version, current_message_id,
      last_message_id, inserted_at, updated_at)
    select ${db.engine === "sqlite" ? id : pgId}, ${sql.lit(user)}, n, 'chat', 'A chat', 'SYSTEM', 1, ${count}, ${count}, 0, 0
    from ${numbers}`,
  );
  const words = Array.from({ length: 40 }, (_none, n) =>
    createHash("sha256").update(`${n}`).digest("hex").slice(0, 6),
  );
  const content = JSON.stringify(
    `${words.join(" ")}\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n${words.join(", ")}`,
  ).slice(1, -1);
  await fillBy(
    db,
    sessions * perSession,
    (
      numbers,
    ) => sql`insert into messages (session_id, message_id, user_id, parent_id, role, status, fragments, files,
      thinking_enabled, search_enabled, ban_regenerate, ban_edit, inserted_at, last_event_id)
    select m.session_id, m.k + 1, ${sql.lit(user)}, case when m.k = 0 then null else m.k end,
      case when m.k % 2 = 0 then 'USER' else 'ASSISTANT' end, 'FINISHED',
      '[{"id":1,"type":"' || case when m.k % 2 = 0 then 'REQUEST' else 'RESPONSE' end || '","content":"' || m.number || ${sql.lit(content)} || '"}]',
      '[]', 0, 0, 0, 0, 0, 0
    from (select n as number, (n - 1) % ${count} as k, ${
      db.engine === "sqlite"
        ? sql`'00000000-0000-4000-8000-' || substr('000000000000' || ((n - 1) / ${count}), -12)`
        : sql`'00000000-0000-4000-8000-' || lpad(((n - 1) / ${count})::text, 12, '0')`
    } as session_id from ${numbers}) as m`,
  );
  await sql`analyze`.execute(db.kysely);
}

interface Measured {
  seconds: number;
  addedMb: number;
  stallMs: number;
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  global.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  delay.disable();
  clearInterval(looking);
  return { seconds, addedMb: (most - before) / 2 ** 20, stallMs: delay.max / 1e6 };
}

/** The middle time; of memory and stalls the worst. */
function summary(all: readonly Measured[]): Measured {
  const seconds = all.map((one) => one.seconds).sort((a, b) => a - b);
  return {
    seconds: percentile(seconds, 0.5),
    addedMb: Math.max(...all.map(({ addedMb }) => addedMb)),
    stallMs: Math.max(...all.map(({ stallMs }) => stallMs)),
  };
}

/** All rows as they are, one after the other, into one entry. */
async function* bareRows(db: Database): AsyncGenerator<string> {
  for (let after = ["", 0] as [string, number]; ;) {
    const rows = await db.kysely
      .selectFrom("messages")
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("session_id", "message_id"), ">", tuple(after[0], after[1])),
      )
      .orderBy("session_id")
      .orderBy("message_id")
      .limit(rowsPerRead)
      .execute();
    for (const row of rows) yield JSON.stringify(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [last.session_id, last.message_id];
  }
}

async function compare(databaseUrl: string | null): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "plumb-bench-export-"));
  const db = await openDatabase({ databaseUrl, dataDir }, createLogger("silent"));
  try {
    await fill(db);
    const objectStore = createFolderObjectStore(join(dataDir, "objects"));
    const run = async (): Promise<void> => {
      const row = await replaceExport(db, {
        id: newExportId(),
        user_id: user,
        locale: "en_US",
        requested_at: Date.now(),
      });
      const job = {
        row: {
          subject: row.id,
          kind: "",
          user_id: user,
          owner: "",
          epoch: 1,
          attempts: 0,
          renewed_at: 0,
          due_at: 0,
        },
        signal: new AbortController().signal,
        finish: async () => {},
      } as unknown as HeldJob;
      const ports = { objectStore, clock: systemClock };
      await runExport(
        { db, ports, log: createLogger("silent") } as unknown as Parameters<typeof runExport>[0],
        job,
      );
      const done = await findExport(db.kysely, user);
      if (done?.status !== "FINISHED") throw new Error(`the export is ${done?.status}`);
    };
    const bare = async (): Promise<void> => {
      async function* one() {
        yield { name: "messages.json", changedAt: 0, content: bareRows(db) };
      }
      await objectStore.put("bare.zip", writeZip(one()));
    };
    await bare();
    const first = await measured(run);
    // By turns: a machine that slows down meanwhile slows both.
    const references: Measured[] = [];
    const results: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      references.push(await measured(bare));
      results.push(await measured(run));
    }
    const reference = summary(references);
    const result = summary(results);
    const ratio = reference.seconds / result.seconds;
    const messages = sessions * perSession;
    const tell = ({ seconds, addedMb, stallMs }: Measured) =>
      `${seconds.toFixed(1)} s, ${Math.round(messages / seconds)} messages a second, +${addedMb.toFixed(1)} MB, longest stall ${stallMs.toFixed(1)} ms`;
    console.log(`${db.engine}: ${messages} messages in ${sessions} sessions`);
    console.log(`  bare rows and zip  ${tell(reference)}`);
    console.log(`  the first export   +${first.addedMb.toFixed(1)} MB`);
    console.log(
      `  export             ${tell(result)}: ${ratio.toFixed(2)} of its speed (the middle of ${rounds}; goal ≥ ${ratioGoal})`,
    );
    if (ratio < ratioGoal || result.addedMb > memoryGoalMb || result.stallMs > stallGoalMs)
      process.exitCode = 1;
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

console.log(describeMachine());
await compare(null);
const postgres = await startPostgres();
try {
  await compare(postgres.url);
} finally {
  await postgres.stop();
}
