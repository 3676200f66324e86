// DATA_DIR/address.json: where the server of this data listens, for the links that an operator's command prints beside it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "@plumb/protocol/wire/json";
import { makeDataFolder } from "./data-folder.ts";
import type { Logger } from "./logger.ts";

const kept = z.object({ host: z.string(), port: z.int() });
/** As HOST and PORT have it; `port` is the one it took. */
export type KeptAddress = z.infer<typeof kept>;

const fileIn = (dataDir: string): string => join(dataDir, "address.json");

/** To be called when the server listens. It serves also where this cannot be written, as on a full disk. */
export function keepAddress(dataDir: string, { host, port }: KeptAddress, log: Logger): void {
  try {
    makeDataFolder(dataDir);
    writeFileSync(fileIn(dataDir), `${JSON.stringify({ host, port })}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn({ err: error }, "links that the operator's commands print may name another address");
  }
}

/** Null where no server has listened on this data yet. */
export function readKeptAddress(dataDir: string): KeptAddress | null {
  let text: string;
  try {
    text = readFileSync(fileIn(dataDir), "utf8");
  } catch {
    return null;
  }
  const parsed = parseJson(text);
  const read = kept.safeParse(parsed.ok ? parsed.value : null);
  return read.success ? read.data : null;
}
