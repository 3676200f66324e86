// Twenty accounts send the worst file known, and the worst upload to import; how long a newcomer's small one waits meanwhile,
// beside the same on the same server when it is idle. See README.md.
import { setTimeout as sleep } from "node:timers/promises";
import { beginImport, lastImport } from "@plumb/protocol/wire/imports";
import { fetchFiles, uploadFile } from "@plumb/protocol/wire/files";
import { LoadClient } from "../e2e/support/load-client.ts";
import { slowImport, slowPdf, smallImport, smallPdf } from "./fair-queues/slow-files.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const accounts = Number(process.env["PLUMB_ACCOUNTS"] ?? 20);
/** Files of each account that wait at once. */
const filesEach = Number(process.env["PLUMB_FILES"] ?? 3);
const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 5);
const mostMs = Number(process.env["PLUMB_SECONDS"] ?? 120) * 1000;
const goalReadMs = 3000;
const goalImportMs = 10_000;
const lookMs = 25;

interface Sent {
  name: string;
  content: Uint8Array;
}
const smallText: Sent = {
  name: "small.txt",
  content: Buffer.from("A few words of a newcomer.\n".repeat(40)),
};

console.log(describeMachine());
const product = await startProductServer({});
const signUp = () => LoadClient.signUp(() => product.origin, product.codeFor);

/** Sends a file to an upload call; resolves with its `biz_data`, or null where it was refused. */
async function send(
  person: LoadClient,
  path: string,
  { name, content }: Sent,
): Promise<Record<string, unknown> | null> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), name);
  const response = await fetch(product.origin + path, {
    method: "POST",
    headers: { ...(await person.proof(path)), authorization: `Bearer ${person.token}` },
    body: form,
  });
  const { data } = (await response.json()) as {
    data?: { biz_code: number; biz_data: Record<string, unknown> };
  };
  return data?.biz_code === 0 ? data.biz_data : null;
}

/** Ms until `isThere`; infinite where it is not after `mostMs`. */
async function until(beganAt: number, isThere: () => Promise<boolean>): Promise<number> {
  while (!(await isThere())) {
    if (performance.now() - beganAt > mostMs) return Number.POSITIVE_INFINITY;
    await sleep(lookMs);
  }
  return performance.now() - beganAt;
}

/** Ms from the upload of a newcomer's file until it is read. */
async function readOf(file: Sent): Promise<number> {
  const person = await signUp();
  const beganAt = performance.now();
  const sent = await send(person, uploadFile.path, file);
  if (sent === null) return Number.POSITIVE_INFINITY;
  const ms = await until(beganAt, async () => {
    const { files } = await person.must(`${fetchFiles.path}?file_ids=${String(sent["id"])}`);
    return (files as { status: string }[])[0]?.status === "SUCCESS";
  });
  person.close();
  return ms;
}

/** Ms from the upload of a newcomer until it is being imported, and until it is. */
async function importOf(): Promise<{ begun: number; ended: number }> {
  const person = await signUp();
  const beganAt = performance.now();
  if ((await send(person, beginImport.path, smallImport)) === null) throw new Error("an import was refused");
  const status = async () => String((await person.must(lastImport.path))["status"]);
  const begun = await until(beganAt, async () => (await status()) !== "QUEUED");
  const ended =
    begun === Number.POSITIVE_INFINITY
      ? begun
      : await until(beganAt, async () => (await status()) === "FINISHED");
  person.close();
  return { begun, ended };
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const median = (values: readonly number[]) => percentile(sorted(values), 0.5);
const shown = (ms: number) =>
  Number.isFinite(ms) ? `${(ms / 1000).toFixed(2)} s` : `more than ${mostMs / 1000} s`;

function tell(what: string, values: readonly number[], idle: number, goalMs: number | null): void {
  const worst = Math.max(...values);
  const goal = goalMs === null ? "" : `; goal: ≤ ${goalMs / 1000} s: ${worst <= goalMs ? "met" : "NOT MET"}`;
  const ratio = Number.isFinite(median(values)) ? (median(values) / idle).toFixed(1) : "∞";
  console.log(
    `  ${what.padEnd(46)} p50 ${shown(median(values))}, worst ${shown(worst)}, ${ratio} × idle (${shown(idle)})${goal}`,
  );
}

async function inTurn<T>(count: number, pauseMs: number, make: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < count; at += 1) {
    all.push(await make());
    await sleep(pauseMs);
  }
  return all;
}

try {
  // Code is warm after one of each.
  await readOf(smallText);
  await importOf();
  const idleText = median(await inTurn(3, 200, () => readOf(smallText)));
  const idlePdf = median(await inTurn(3, 200, () => readOf(smallPdf)));
  const idleImports = await inTurn(3, 200, importOf);
  const idle = {
    begun: median(idleImports.map(({ begun }) => begun)),
    ended: median(idleImports.map(({ ended }) => ended)),
  };

  const attackers = await Promise.all(Array.from({ length: accounts }, signUp));
  let attacking = true;
  const attack = (path: string, file: Sent, times: number): Promise<unknown> =>
    Promise.all(
      attackers.map(async (person) => {
        for (let time = 0; time < times; time += 1) await send(person, path, file);
      }),
    );
  console.log(
    `reading: ${accounts} accounts, ${filesEach} files each of ${slowPdf.content.length} bytes that take a minute`,
  );
  await attack(uploadFile.path, slowPdf, 1);
  tell("small text, right after the first of each", [await readOf(smallText)], idleText, goalReadMs);
  await attack(uploadFile.path, slowPdf, filesEach - 1);
  // They send on for as long as they may.
  const sendingOn = (async () => {
    while (attacking) {
      await sleep(5000);
      if (attacking) await attack(uploadFile.path, slowPdf, 1);
    }
  })();
  tell(
    "small text, while they go on",
    await inTurn(rounds, 3000, () => readOf(smallText)),
    idleText,
    goalReadMs,
  );
  tell("small PDF, while they go on", await inTurn(rounds, 3000, () => readOf(smallPdf)), idlePdf, null);
  attacking = false;
  await sendingOn;

  console.log(`imports: ${accounts} accounts, one upload each of ${slowImport.content.length} bytes`);
  await attack(beginImport.path, slowImport, 1);
  const imports = await inTurn(rounds, 3000, importOf);
  tell(
    "small import, begun",
    imports.map(({ begun }) => begun),
    idle.begun,
    goalImportMs,
  );
  tell(
    "small import, ended",
    imports.map(({ ended }) => ended),
    idle.ended,
    null,
  );
  for (const person of attackers) person.close();
} finally {
  await product.close();
}
