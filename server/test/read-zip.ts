// A zip as a test reads it: by another program where there is one, and by a library that has not written it.
import { execFileSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { openPromise } from "yauzl";
import { codeOf } from "../src/platform/error-words.ts";

/** The entries of the zip at `path` as texts, in their order. Throws where it is not whole. */
export async function readZip(path: string): Promise<Map<string, string>> {
  try {
    execFileSync("unzip", ["-tqq", path], { stdio: "pipe" });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const found = new Map<string, string>();
  const zip = await openPromise(path);
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return found;
}
