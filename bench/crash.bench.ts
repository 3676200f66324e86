// kill -9 in the middle of a reply until the first new character at the reader, who resumes as the browser does: with an
// embedded restart, and with another replica on PostgreSQL. Lease and flush settings are the defaults. See README.md.
import { rmSync } from "node:fs";
import { startReplicas } from "../e2e/faults/replicas.ts";
import { LoadClient } from "../e2e/support/load-client.ts";
import type { ReplyReader } from "../e2e/support/reply-reader.ts";
import { startScriptedUpstream } from "../e2e/support/scripted-upstream.ts";
import { ServerProcess } from "../e2e/support/server-process.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 20);
const defaults = {
  LEASE_TIMEOUT_MS: "3000",
  LEASE_RENEW_MS: "1000",
  MODEL_CONTINUATION: "prefix",
  LOG_LEVEL: "warn",
};
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** wire-contract.md §4.9: after 0.5, 1, 2, 4, 4 … s. */
const likeTheBrowser = (failed: number): number => Math.min(4000, 500 * 2 ** failed);

interface Round {
  ms: number;
  lost: number;
}

console.log(describeMachine());
const upstream = await startScriptedUpstream({
  scripts: [
    { tokens: 60, paceMs: 20 },
    { match: { kind: "title" }, answer: "A title" },
  ],
});

/** Sends, kills in mid-reply, brings the service back, and measures from the kill. */
async function round(
  person: LoadClient,
  name: string,
  kill: () => Promise<void>,
  recover: () => Promise<void>,
): Promise<Round> {
  const sessionId = await person.createSession();
  const reader = person.send({ sessionId, prompt: name, retryMs: likeTheBrowser });
  const length = (): number => reader.textOf("RESPONSE").length;
  await until(reader, () => length() > 60);
  const killedAt = performance.now();
  await kill();
  const before = length();
  const recovering = recover();
  await until(reader, () => length() > before);
  const ms = performance.now() - killedAt;
  await recovering;
  await reader.done;
  const { answer } = upstream.expected(name);
  const got = reader.textOf("RESPONSE");
  if (reader.problems.length > 0) throw new Error(reader.problems.join("\n"));
  return { ms, lost: got === answer ? 0 : Math.max(1, answer.length - got.length) };
}

async function until(reader: ReplyReader, condition: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !condition(); await sleep(2)) {
    if (performance.now() > deadline) throw new Error(`nothing came: ${reader.problems.join("; ")}`);
  }
}

function print(name: string, done: readonly Round[], goalMs: number): void {
  const times = done.map(({ ms }) => ms).sort((a, b) => a - b);
  const lost = done.reduce((sum, { lost: bytes }) => sum + bytes, 0);
  console.log(
    `  ${name.padEnd(17)} p50 ${(percentile(times, 0.5) / 1000).toFixed(2)} s, worst ${((times.at(-1) ?? 0) / 1000).toFixed(2)} s ` +
      `(goal ≤ ${goalMs / 1000} s); characters lost ${lost} (goal 0)`,
  );
}

console.log(`kill -9 to the first new character, ${rounds} rounds each`);
const server = await ServerProcess.start({
  MODEL_BASE_URL: upstream.url,
  ...defaults,
});
try {
  const person = await LoadClient.signUp(
    () => server.origin,
    (email) => server.codeFor(email),
  );
  const done: Round[] = [];
  for (let index = 0; index < rounds; index += 1) {
    done.push(
      await round(
        person,
        `embedded ${index}`,
        () => server.kill9(),
        () => server.restart(),
      ),
    );
  }
  person.close();
  print("embedded restart", done, 5000);
} finally {
  await server.kill9();
  rmSync(server.dataDir, { recursive: true, force: true });
}

const replicas = await startReplicas(upstream, 2, defaults);
try {
  const [first, second] = replicas.servers;
  if (first === undefined || second === undefined) throw new Error("two servers were asked for");
  let target = first;
  const person = await LoadClient.signUp(() => target.origin, replicas.codeFor);
  const done: Round[] = [];
  for (let index = 0; index < rounds; index += 1) {
    const owner = target;
    const other = owner === first ? second : first;
    const kill = async (): Promise<void> => {
      await owner.kill9();
      target = other;
    };
    done.push(await round(person, `replica ${index}`, kill, async () => {}));
    await owner.restart();
  }
  person.close();
  print("other replica", done, 4000);
} finally {
  await replicas.close();
  await upstream.close();
}
