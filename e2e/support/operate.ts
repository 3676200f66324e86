// A command of the operator's, beside the running server.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../server/src/operator.ts", import.meta.url));
/** As `npm run operator` does. */
const compiled = fileURLToPath(new URL("../../.cache/node", import.meta.url));

/** Runs the command on the data of that folder. Throws when it fails. */
export function operate(dataDir: string, ...words: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, DATA_DIR: dataDir };
  execFileSync(process.execPath, [program, ...words], { cwd: dataDir, env, stdio: "pipe" });
}
