// Searching one's history among a million messages of a thousand people and a hundred thousand of one, on both engines; and
// what the index costs on the path of a send. See README.md.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { startPostgres } from "../server/test/postgres.ts";
import { storedMessage, storedSession } from "../server/test/stored-rows.ts";
import { addText } from "../server/src/features/sessions/history-index-store.ts";
import { wordsOfText } from "../server/src/features/sessions/index-history.ts";
import { insertMessages, type MessageRow } from "../server/src/features/sessions/message-store.ts";
import { searchHistory } from "../server/src/features/sessions/search-history.ts";
import { insertSession } from "../server/src/features/sessions/session-store.ts";
import type { Database } from "../server/src/platform/database/database.ts";
import { openDatabase } from "../server/src/platform/database/open-database.ts";
import { createLogger } from "../server/src/platform/logger.ts";
import { parseSearchQuery } from "../server/src/platform/words/search-query.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";

const messages = Number(process.env["PLUMB_MESSAGES"] ?? 1_000_000);
const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 300);
const messagesPerUser = 1000;
/** Of the one who has said most: a tenth of what all others have. */
const messagesOfOne = messages / 10;
const messagesPerSession = 100;
const wordsPerMessage = 60;
const searchGoalMs = 30;
const sendGoalMs = 0.5;

let seed = 11;
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

/** 20,000 words, the first of which are in nearly every text, as in a language. */
const vocabulary = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 8) }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  ).join(""),
);
const letters = Array.from({ length: 3000 }, (_none, index) => String.fromCharCode(0x4e00 + index * 5));
const some = <T>(list: readonly T[]): T => list[Math.floor(list.length * random() ** 4)] as T;
const letterRun = (length: number) => Array.from({ length }, () => some(letters)).join("");

/** Every fourth text is Chinese. */
function text(): string {
  if (random() < 0.25) return Array.from({ length: 10 }, () => letterRun(8)).join("，");
  return Array.from({ length: wordsPerMessage }, () => some(vocabulary)).join(" ");
}

const queries: Record<string, () => string> = {
  "a common word": () => `${vocabulary[Math.floor(random() * 20)]} `,
  "three words": () => `${some(vocabulary)} ${some(vocabulary)} ${some(vocabulary)}`,
  "a rare word": () => vocabulary[15_000 + Math.floor(random() * 5000)] ?? "",
  "one letter": () => String.fromCharCode(97 + Math.floor(random() * 26)),
  "one Chinese letter": () => some(letters),
  "three Chinese letters": () => letterRun(3),
  "what nobody said": () => "qqqqqqqqqqqq",
};

let seqId = 0;
async function fill(db: Database, userId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += messagesPerSession) {
    // A server's event loop turns between sends; without that the log of SQLite is never moved into its file.
    await turn();
    const sessionId = crypto.randomUUID();
    const texts = Array.from({ length: messagesPerSession }, text);
    const words = await Promise.all(texts.map(wordsOfText));
    await db.transaction(async (trx) => {
      await insertSession(
        trx,
        storedSession({
          id: sessionId,
          user_id: userId,
          seq_id: (seqId += 1),
          title: "A chat",
          title_type: "SYSTEM",
          last_message_id: messagesPerSession,
          inserted_at: done,
          updated_at: done,
        }),
      );
      const rows = texts.map((content, n) => messageRow(userId, sessionId, n + 1, content, done + n));
      await insertMessages(trx, rows);
      for (const [n, row] of rows.entries()) {
        const at = row.inserted_at;
        await addText(db, trx, { userId, sessionId, messageId: row.message_id, at }, words[n] ?? []);
      }
    });
  }
}

/** PostgreSQL is asked by several at once: it answers each alone for as long as the text takes to make. */
async function fillAll(db: Database, people: readonly { userId: string; count: number }[]): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let one = people[next++]; one !== undefined; one = people[next++])
      await fill(db, one.userId, one.count);
  };
  await Promise.all(Array.from({ length: db.engine === "postgres" ? 3 : 1 }, lane));
}

/** Each a prompt: what is measured is the index, not who spoke. */
function messageRow(userId: string, sessionId: string, id: number, content: string, at: number): MessageRow {
  return storedMessage({
    session_id: sessionId,
    message_id: id,
    user_id: userId,
    role: "USER",
    fragments: JSON.stringify([{ id: 1, type: "REQUEST", content }]),
    inserted_at: at,
  });
}

async function searchTimes(db: Database, userOf: () => string): Promise<number> {
  const allTimes: number[] = [];
  for (const [name, make] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const query = parseSearchQuery(make());
      if (query === null) throw new Error("a query without a word");
      const began = performance.now();
      await searchHistory(db, {
        userId: userOf(),
        query,
        count: 20,
        cursor: null,
        running: { isOver: false },
      });
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    allTimes.push(...times);
    console.log(
      `    ${name.padEnd(24)} p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`,
    );
  }
  return percentile(
    allTimes.sort((a, b) => a - b),
    0.99,
  );
}

/** What a send takes more: the words of a prompt, and their place in the index; without the commit, which there is anyway. */
async function sendTime(db: Database): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const prompt = text();
    const began = performance.now();
    const words = await wordsOfText(prompt);
    const made = performance.now() - began;
    await db.transaction(async (trx) => {
      const from = performance.now();
      const indexed = { userId: "user-0", sessionId: "sending", messageId: round + 1, at: messages + round };
      await addText(db, trx, indexed, words);
      times.push(made + performance.now() - from);
    });
  }
  return percentile(
    times.sort((a, b) => a - b),
    0.5,
  );
}

async function measure(db: Database): Promise<void> {
  const users = Math.max(1, Math.round(messages / messagesPerUser));
  const began = performance.now();
  await fillAll(
    db,
    Array.from({ length: users }, (_none, user) => ({ userId: `user-${user}`, count: messagesPerUser })),
  );
  await fillAll(db, [{ userId: "one", count: messagesOfOne }]);
  const perMessage = (performance.now() - began) / (messages + messagesOfOne);
  console.log(
    `${db.engine}: ${messages} messages of ${users} people, stored in ${perMessage.toFixed(2)} ms each`,
  );
  console.log("  a user of a thousand messages");
  check("search p99", await searchTimes(db, () => `user-${Math.floor(random() * users)}`), searchGoalMs);
  console.log(`  a user of ${messagesOfOne} messages`);
  const heavy = await searchTimes(db, () => "one");
  console.log(`  p99 ${heavy.toFixed(2)} ms`);
  check("more on the path of a send, p50", await sendTime(db), sendGoalMs);
}

function check(name: string, value: number, goal: number): void {
  if (value > goal) process.exitCode = 1;
  console.log(`  ${name} ${value.toFixed(2)} ms (goal ≤ ${goal}${value > goal ? ", MISSED" : ""})`);
}

console.log(describeMachine());
const log = createLogger("silent");
const dataDir = mkdtempSync(join(tmpdir(), "plumb-bench-"));
const sqlite = await openDatabase({ databaseUrl: null, dataDir }, log);
try {
  await measure(sqlite);
} finally {
  await sqlite.close();
  console.log(`  file ${(statSync(join(dataDir, "plumb.db")).size / 2 ** 20).toFixed(0)} MiB`);
  rmSync(dataDir, { recursive: true, force: true });
}
const server = await startPostgres();
try {
  const postgres = await openDatabase({ databaseUrl: server.url, dataDir }, log);
  try {
    await measure(postgres);
  } finally {
    await postgres.close();
  }
} finally {
  await server.stop();
}
