// A command of the operator's in a process of its own: the server of the test goes on meanwhile.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../src/operator.ts", import.meta.url));
/** As `npm run operator` does: not every command compiles everything again. */
const compiled = fileURLToPath(new URL("../../.cache/node", import.meta.url));

export interface Operated {
  status: number | null;
  stdout: string;
  stderr: string;
}

interface Place {
  settings: Readonly<Record<string, string>>;
  /** Where its words are looked for as names of files; nowhere special. */
  cwd?: string;
}

/** Runs it with these settings alone, and tells what came of it. */
export async function operate(
  { settings, cwd = tmpdir() }: Place,
  ...words: readonly string[]
): Promise<Operated> {
  const env = { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, ...settings };
  const child = spawn(process.execPath, [program, ...words], { cwd, env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, stdout, stderr };
}
