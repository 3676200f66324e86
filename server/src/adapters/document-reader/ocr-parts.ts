// Whether text in pictures can be read: what the scripts have installed into .extras/ocr, or are installing.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf } from "../../platform/error-words.ts";

/** `missing`: neither there nor on its way, such as without a network, or on a system that there are no binaries for. */
export type OcrState = "installed" | "installing" | "missing";

/** Where scripts/install-ocr.mjs puts it. */
export const ocrFolder = fileURLToPath(new URL("../../../../.extras/ocr/", import.meta.url));

export async function ocrState(folder: string): Promise<OcrState> {
  const { state, pid } = await readState(folder);
  if (state === "installed") return "installed";
  return state === "installing" && pid !== undefined && isAlive(pid) ? "installing" : "missing";
}

async function readState(folder: string): Promise<{ state?: string; pid?: number }> {
  try {
    return JSON.parse(await readFile(join(folder, "state.json"), "utf8")) as { state?: string; pid?: number };
  } catch (error) {
    // Never begun; or spoiled, and the next start begins anew.
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return {};
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
