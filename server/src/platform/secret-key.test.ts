import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecretKey } from "./secret-key.ts";
import { StartError } from "./start-error.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plumb-key-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("a given key is taken and nothing is written", () => {
  expect(loadSecretKey({ secretKey: "given key", dataDir })).toBe("given key");
  expect(() => statSync(join(dataDir, "secret.key"))).toThrow("ENOENT");
});

test("a key is made once, readable by its owner alone", () => {
  const key = loadSecretKey({ secretKey: null, dataDir });
  expect(key).toMatch(/^[0-9a-f]{64}$/u);
  expect(loadSecretKey({ secretKey: null, dataDir })).toBe(key);
  expect(statSync(join(dataDir, "secret.key")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dataDir, "secret.key"), "utf8")).toBe(`${key}\n`);
});

test("its folder is made for the server's own user alone", () => {
  loadSecretKey({ secretKey: null, dataDir: join(dataDir, "made") });
  expect(statSync(join(dataDir, "made")).mode & 0o777).toBe(0o700);
});

// Node's own recursive mkdir would never end there.
test.runIf(process.platform === "linux")("a folder that cannot be made stops the start", () => {
  expect(() => loadSecretKey({ secretKey: null, dataDir: "/proc/nope" })).toThrow(
    "The data folder /proc/nope cannot be made",
  );
});

test("an empty key file stops the start", () => {
  writeFileSync(join(dataDir, "secret.key"), "\n");
  expect(() => loadSecretKey({ secretKey: null, dataDir })).toThrow(StartError);
});
