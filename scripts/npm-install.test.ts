import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installLocked } from "./npm-install.mjs";

let folder: string;
let registry: Server;
let served: Buffer;

/** A package `little` at 1.0.0 whose program says a word. */
function pack(word: string): Buffer {
  const inside = join(folder, "package");
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, "package.json"), JSON.stringify({ name: "little", version: "1.0.0" }));
  writeFileSync(join(inside, "index.js"), word);
  return spawnSync("tar", ["-czf", "-", "-C", folder, "package"]).stdout;
}
const integrityOf = (bytes: Buffer) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "plumb-npm-"));
  // What the registry says of itself is always right: only the lock tells that a package was changed.
  registry = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return response.end(served);
    const tarball = `http://${request.headers.host}/little-1.0.0.tgz`;
    const version = { name: "little", version: "1.0.0", dist: { tarball, integrity: integrityOf(served) } };
    response.setHeader("content-type", "application/json");
    return response.end(
      JSON.stringify({ name: "little", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
    );
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  process.env["npm_config_registry"] = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  process.env["npm_config_cache"] = join(folder, "cache");
});
afterEach(() => {
  delete process.env["npm_config_registry"];
  delete process.env["npm_config_cache"];
  registry.close();
  rmSync(folder, { recursive: true });
});

it("a package that the registry changed since it was locked is refused, the same one installed", async () => {
  const genuine = pack("good");
  const [source, target] = [join(folder, "source"), join(folder, "target")];
  mkdirSync(source);
  const root = { name: "extra", dependencies: { little: "1.0.0" } };
  const entry = { version: "1.0.0", integrity: integrityOf(genuine) };
  writeFileSync(join(source, "package.json"), JSON.stringify(root));
  writeFileSync(
    join(source, "package-lock.json"),
    JSON.stringify({ ...root, lockfileVersion: 3, packages: { "": root, "node_modules/little": entry } }),
  );
  const program = join(target, "node_modules", "little", "index.js");

  served = pack("evil");
  await expect(installLocked(source, target)).rejects.toThrow("EINTEGRITY");
  expect(() => readFileSync(program)).toThrow("ENOENT");
  served = genuine;
  await installLocked(source, target);
  expect(readFileSync(program, "utf8")).toBe("good");
}, 120_000);

it.each(["ocr", "gguf"])(
  "each package of %s is locked by its hash, from no registry in particular",
  (name) => {
    const url = new URL(`extras/${name}/package-lock.json`, import.meta.url);
    const { packages } = JSON.parse(readFileSync(url, "utf8")) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const bad = Object.entries(packages).filter(
      ([path, { integrity, resolved }]) =>
        path !== "" && (!integrity?.startsWith("sha512-") || resolved !== undefined),
    );
    expect([Object.keys(packages).length > 30, bad]).toEqual([true, []]);
  },
);
