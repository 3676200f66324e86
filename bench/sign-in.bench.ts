// Signing in by password against the bare hash, and how long a refusal takes with and without an account.
import { hash, verify } from "@node-rs/argon2";
import { LOAD_PASSWORD, LoadClient } from "../e2e/support/load-client.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 10);
const perRound = 60;
const askedAtOnce = 8;
const hashedAtOnce = 2;
/** Failures of one account from one network that are compared; the next is refused (wire-contract.md §1.9). */
const failuresPerAccount = 9;
const accounts = 40;

console.log(describeMachine());
const product = await startProductServer({
  RATE_LIMITS: "login_ip_minute=1000000,guest_ip_minute=1000000,code_ip_hour=1000000",
});

async function login(email: string, password: string): Promise<number> {
  const response = await fetch(`${product.origin}/api/v0/users/login`, {
    method: "POST",
    body: JSON.stringify({ email, password }),
  });
  const body = (await response.json()) as { data: { biz_code: number } | null };
  return body.data?.biz_code ?? response.status;
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

try {
  const known = Array.from({ length: accounts }, (_none, index) => `known-${index}@example.com`);
  for (const email of known) {
    (
      await LoadClient.signUp(
        () => product.origin,
        (to) => product.codeFor(to),
        email,
      )
    ).close();
  }
  const bare = await hash(LOAD_PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

  const shares: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const reference = await secondsFor(perRound, hashedAtOnce, async () => {
      if (!(await verify(bare, LOAD_PASSWORD))) throw new Error("the reference does not fit");
    });
    const signIns = await secondsFor(perRound, askedAtOnce, async (index) => {
      const code = await login(known[index % accounts] ?? "", LOAD_PASSWORD);
      if (code !== 0) throw new Error(`a sign-in was answered ${code}`);
    });
    // The first round warms up.
    if (round > 0) shares.push(reference / signIns);
  }
  shares.sort((one, other) => one - other);
  console.log(
    `sign-in: ${percentile(shares, 0.5).toFixed(3)} of the bare hash's throughput (${rounds} rounds of ${perRound}; goal ≥ 0.95)`,
  );

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
  await product.close();
}
