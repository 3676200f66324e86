// A process of Node's that can do nothing but read one open file, write another and compute, within limits. Whatever it
// reads cannot harm more than its own job. Four things hold it: Node's permissions, what restrict-process.ts closes besides,
// the kernel's limits and, where the server is root, a user of its own.
import { spawn } from "node:child_process";
import { fstat } from "node:fs";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { userFor } from "./isolated-user.ts";
import { residentSet } from "./resident-set.ts";

export interface Limits {
  timeMs: number;
  /** Of processor time, where it is less than `timeMs` allows: it passes as slowly as others let the process compute. Not on Windows. */
  processorSeconds?: number;
  /** As `nice` counts: 10 where it is not given, after answers to people. */
  niceness?: number;
  /** JavaScript's heap. Buffers, native code and WebAssembly lie outside; `residentBytes` bounds all together. */
  heapMb: number;
  residentBytes: number;
  outputBytes: number;
}

export interface Program {
  /** A file of ours. */
  file: string;
  parameters: readonly string[];
  /** Folders of packages that it may read besides those of the server. */
  packages?: readonly string[];
  /** Whether it may load packages that are not JavaScript. */
  native?: boolean;
}

/** How it ended. `memory`: more than it may hold; `crashed`: by a signal that was not ours. */
export type Ending = { status: number } | "time" | "memory" | "output" | "cancelled" | "crashed";

const watchMs = 50;
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readable = [
  folder("../"),
  folder("../../adapters/"),
  folder("../../ports/"),
  folder("../../../package.json"),
  folder("../../../node_modules/"),
  folder("../../../../node_modules/"),
  folder("../../../../protocol/"),
];
const size = promisify(fstat);

/**
 * Runs a program with `input` as its file 3 and `output` as its file 4. It gets no environment, no way to open another
 * file than the code it consists of, no child process, no thread and no network; the kernel, too, bounds its processor time
 * and its output, so that it ends though this process dies first.
 */
export async function runIsolated(
  program: Program,
  files: { input: number; output: number },
  limits: Limits,
  signal: AbortSignal,
): Promise<Ending> {
  if (signal.aborted) return "cancelled";
  const user = await userFor([process.execPath, ...readableBy(program)]);
  if (signal.aborted) return "cancelled";
  const child = spawn(...commandOf(program, limits), {
    ...user,
    // No secret of the server's: not even PATH. A user without a name has no home, which some packages ask for.
    env: { HOME: "/nonexistent" },
    cwd: folder("."),
    stdio: ["ignore", "ignore", "ignore", files.input, files.output],
    windowsHide: true,
  });
  let ending: Ending | null = null;
  const stop = (why: Ending): void => {
    ending ??= why;
    child.kill("SIGKILL");
  };
  const cancel = () => stop("cancelled");
  const exited = new Promise<Ending>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status, killedBy) => resolve(endingOf(status, killedBy)));
  });
  const timer = setTimeout(() => stop("time"), limits.timeMs);
  let isLooking = false;
  let looked = Promise.resolve();
  const watch = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looked = look().finally(() => {
      isLooking = false;
    });
  }, watchMs);
  signal.addEventListener("abort", cancel, { once: true });

  const look = async (): Promise<void> => {
    if (child.pid === undefined) return;
    const [held, written] = await Promise.all([residentSet(child.pid), size(files.output)]);
    if (held !== null && held > limits.residentBytes) stop("memory");
    if (written.size > limits.outputBytes) stop("output");
  };
  try {
    yieldToOthers(child.pid, limits.niceness ?? 10);
    const own = await exited;
    // Node makes an error of its own of the kernel's limit.
    if ((await size(files.output)).size > limits.outputBytes) ending ??= "output";
    return ending ?? own;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    // Its caller closes the files now.
    await looked;
    signal.removeEventListener("abort", cancel);
  }
}

/** Answers to people come before documents. */
function yieldToOthers(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system has no priorities.
  }
}

function endingOf(status: number | null, killedBy: NodeJS.Signals | null): Ending {
  if (status !== null) return { status };
  // V8 aborts when its heap is full; the kernel kills when the machine's memory is.
  if (killedBy === "SIGABRT" || killedBy === "SIGKILL") return "memory";
  return killedBy === "SIGXCPU" ? "time" : "crashed";
}

function readableBy({ packages = [] }: Program): string[] {
  return [...readable, ...packages];
}

function commandOf(program: Program, limits: Limits): [string, string[]] {
  const node = [
    `--max-old-space-size=${limits.heapMb}`,
    "--no-warnings",
    "--disable-wasm-trap-handler",
    "--permission",
    // It opens files past the permissions.
    "--no-experimental-sqlite",
    ...readableBy(program).map((path) => `--allow-fs-read=${path}`),
    ...(program.native === true ? ["--allow-addons"] : []),
    `--import=${new URL("restrict-process.ts", import.meta.url).href}`,
    program.file,
    ...program.parameters,
  ];
  if (process.platform === "win32") return [process.execPath, node];
  const seconds = limits.processorSeconds ?? Math.ceil(limits.timeMs / 1000) + 1;
  // In units of 512 bytes, with one more: what the program itself allows is less.
  const blocks = Math.ceil(limits.outputBytes / 512) + 1;
  const limited = `ulimit -c 0; ulimit -S -t ${seconds}; ulimit -H -t ${seconds + 1}; ulimit -f ${blocks}; exec "$0" "$@"`;
  return ["/bin/sh", ["-c", limited, process.execPath, ...node]];
}
