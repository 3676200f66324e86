// Signing in by password against the bare hash, and how long a refusal takes with and without an account. See README.md.
import { hash, verify } from "@node-rs/argon2";
import { fileURLToPath } from "node:url";
import { keepAliveAgent, openCall, readJson } from "../e2e/support/http-call.ts";
import { LOAD_PASSWORD, LoadClient } from "../e2e/support/load-client.ts";
import { describeMachine } from "./support/machine.ts";
import { MeasuredProcess } from "./support/measured-process.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 10);
const perRound = 100;
/** Until the compiler has seen all of it. */
const warmUps = 1000;
const askedAtOnce = 8;
const hashedAtOnce = 2;
/** Failures of one account from one network that are compared; the next is refused (wire-contract.md §1.9). */
const failuresPerAccount = 9;
const accounts = 40;

const bare = await hash(LOAD_PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
console.log(describeMachine());
const product = await startProductServer({
  RATE_LIMITS: "login_ip_minute=1000000,guest_ip_minute=1000000,code_ip_hour=1000000,any_ip_minute=1000000",
});
const reference = new MeasuredProcess(
  "the reference",
  fileURLToPath(new URL("./sign-in/bare-hash.ts", import.meta.url)),
  { env: { PASSWORD_HASH: bare, UV_THREADPOOL_SIZE: String(hashedAtOnce) } },
);
const [referenceOrigin] = await reference.says(/http:\/\/\S+/);
const agent = keepAliveAgent();

async function login(email: string, password: string, origin = product.origin): Promise<number> {
  const answer = await openCall(agent, `${origin}/api/v0/users/login`, {
    method: "POST",
    headers: {},
    body: JSON.stringify({ email, password }),
  });
  const body = (await readJson(answer)) as { data: { biz_code: number } | null };
  return body.data?.biz_code ?? answer.statusCode ?? 0;
}

/** Seconds for `count` runs, `atOnce` of them at a time. */
async function secondsFor(
  count: number,
  atOnce: number,
  run: (index: number) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - began) / 1000;
}

/** Signs in `count` times. Seconds, and milliseconds of processor time of that server for each. */
async function signIns(
  { process: server, origin }: { process: MeasuredProcess; origin: string },
  count: number,
): Promise<{ seconds: number; processorMs: number }> {
  const before = await server.read();
  const seconds = await secondsFor(count, askedAtOnce, async (index) => {
    const code = await login(known[index % accounts] ?? "", LOAD_PASSWORD, origin);
    if (code !== 0) throw new Error(`a sign-in was answered ${code}`);
  });
  const after = await server.read();
  return { seconds, processorMs: (after.cpuMicros - before.cpuMicros) / 1000 / count };
}

/** The same of hashes in this process, which nobody asks for. */
async function hashes(count: number): Promise<{ seconds: number; processorMs: number }> {
  const before = process.cpuUsage();
  const seconds = await secondsFor(count, hashedAtOnce, async () => {
    if (!(await verify(bare, LOAD_PASSWORD))) throw new Error("the reference does not fit");
  });
  const { user, system } = process.cpuUsage(before);
  return { seconds, processorMs: (user + system) / 1000 / count };
}

const known = Array.from({ length: accounts }, (_none, index) => `known-${index}@example.com`);
try {
  for (const email of known) {
    (
      await LoadClient.signUp(
        () => product.origin,
        (to) => product.codeFor(to),
        email,
      )
    ).close();
  }
  const bareServer = { process: reference, origin: referenceOrigin };
  for (const server of [product, bareServer]) await signIns(server, warmUps);

  const measured: { share: number; shareOfHash: number; ofTime: number; ms: number; hashMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const alone = await hashes(perRound);
    // Each is the first as often as the other.
    const inOrder = round % 2 === 0 ? [bareServer, product] : [product, bareServer];
    const results = new Map<object, Awaited<ReturnType<typeof signIns>>>();
    for (const server of inOrder) results.set(server, await signIns(server, perRound));
    const [ours, theirs] = [results.get(product), results.get(bareServer)];
    if (ours === undefined || theirs === undefined) throw new Error("a round lacks one of the two");
    measured.push({
      share: theirs.seconds / ours.seconds,
      shareOfHash: alone.seconds / ours.seconds,
      ofTime: alone.processorMs / ours.processorMs,
      ms: ours.processorMs,
      hashMs: alone.processorMs,
    });
  }
  const middle = (of: (one: (typeof measured)[number]) => number) =>
    percentile(
      measured.map(of).toSorted((one, other) => one - other),
      0.5,
    );
  const share = middle((one) => one.share);
  console.log(
    `sign-in: ${share.toFixed(3)} of the throughput of a bare server that does nothing but hash (${rounds} rounds of ${perRound}; goal ≥ 0.95)${share < 0.95 ? "  MISSED" : ""}`,
  );
  console.log(
    `  of the hash alone, without HTTP and a client on the same cores: ${middle((one) => one.shareOfHash).toFixed(3)}; by processor time ${middle((one) => one.ofTime).toFixed(3)} (a hash ${middle((one) => one.hashMs).toFixed(2)} ms, the server for a sign-in ${middle((one) => one.ms).toFixed(2)} ms)`,
  );
  if (share < 0.95) process.exitCode = 1;

  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  const tries = Math.min(accounts * failuresPerAccount, rounds * 36);
  for (let index = 0; index < tries; index += 1) {
    for (const kind of index % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)) {
      const began = performance.now();
      const code = await login(`${kind}-${index % accounts}@example.com`, "not this one");
      times[kind].push(performance.now() - began);
      if (code !== 2) throw new Error(`a wrong password was answered ${code}`);
    }
  }
  const median = (kind: "known" | "unknown") =>
    percentile(
      times[kind].toSorted((one, other) => one - other),
      0.5,
    );
  console.log(
    `sign-in: a refusal takes ${median("known").toFixed(2)} ms with an account and ${median("unknown").toFixed(2)} ms without, ${(median("known") / median("unknown")).toFixed(4)} (${tries} of each; goal within 1 %)`,
  );
} finally {
  agent.destroy();
  await reference.end();
  await product.close();
}
