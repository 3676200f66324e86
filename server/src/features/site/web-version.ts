// The version of the web client, from its manifest.
import { readFileSync } from "node:fs";
import * as z from "zod/mini";

const manifest = z.object({ version: z.string() });

/** Read once at start; throws when the manifest is missing or has no version. */
export function readWebVersion(): string {
  const file = new URL("../../../../web/package.json", import.meta.url);
  return manifest.parse(JSON.parse(readFileSync(file, "utf8"))).version;
}
