import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { HashThread } from "./hash-thread.ts";

const newHash = (password: string) => ({ password, compareWith: null });

test("each task gets its own answer, and a hash that is none costs nobody else's", async () => {
  const thread = new HashThread();
  const hash = String(await thread.run(newHash("correct horse")));
  const outcomes = await Promise.allSettled([
    thread.run({ password: "correct horse", compareWith: hash }),
    thread.run({ password: "correct horse", compareWith: "no hash" }),
    thread.run({ password: "wrong horse", compareWith: hash }),
    thread.run(newHash("another")),
  ]);
  expect(thread.load).toBe(0);
  expect(outcomes).toEqual([
    { status: "fulfilled", value: true },
    { status: "rejected", reason: expect.any(Error) },
    { status: "fulfilled", value: false },
    { status: "fulfilled", value: expect.stringMatching(/^\$argon2id\$/u) },
  ]);
});

test("it ends when it has had no task for a while, and the next task starts it again", async () => {
  const thread = new HashThread(1);
  expect(thread.isRunning).toBe(false);
  for (const round of [1, 2]) {
    const answered = thread.run(newHash(`round ${round}`));
    expect([thread.isRunning, thread.load]).toEqual([true, 1]);
    expect(await answered).toMatch(/^\$argon2id\$/u);
    await vi.waitFor(() => expect(thread.isRunning).toBe(false));
  }
});

test(
  "a process waits for its hashes, and not for the threads that made them",
  { timeout: 30_000 },
  async () => {
    const passwords = fileURLToPath(new URL("./passwords.ts", import.meta.url));
    const program = `const { hashPassword } = await import(${JSON.stringify(passwords)});
console.log(await hashPassword("correct horse"));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { timeout: 20_000 },
    );
    expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
  },
);
