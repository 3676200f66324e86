import { createHash } from "node:crypto";
import { join, relative } from "node:path";

const owners = new Map<string, string>();

/**
 * The name of a class of a style module. It stands in scripts and sheets, and the part that tells its file apart does not
 * compress: it is short. Throws where two files would have one name.
 */
export function shortClassName(name: string, file: string): string {
  const path = relative(join(import.meta.dirname, ".."), file);
  const short = `${name}-${createHash("sha256").update(path).digest("base64url").slice(0, 3)}`;
  const owner = owners.get(short) ?? path;
  if (owner !== path) throw new Error(`${owner} and ${path} would both have the class ${short}`);
  owners.set(short, path);
  return short;
}
