// A ban as the operator makes it, beside the running server.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../server/src/operator.ts", import.meta.url));

/** Bans the account with this email. Throws when there is none. */
export function banAccount(dataDir: string, email: string): void {
  const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir };
  execFileSync(process.execPath, [program, "ban", email], { cwd: dataDir, env, stdio: "pipe" });
}
