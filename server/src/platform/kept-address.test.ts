import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { keepAddress, readKeptAddress } from "./kept-address.ts";

const folder = temporaryFolder("kept-address");
const silent = pino({ level: "silent" });
const address = { host: "127.0.0.1", port: 4321 };

it("is there for commands beside the server", () => {
  keepAddress(folder, address, silent);
  expect(readKeptAddress(folder)).toEqual(address);
});

it("a folder that takes no file, such as one of a full disk, ends no start, and is told", () => {
  const full = join(folder, "full");
  mkdirSync(join(full, "address.json"), { recursive: true });
  const told: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void told.push(line) });
  expect(() => keepAddress(full, address, log)).not.toThrow();
  expect(told.join("")).toMatch(/EISDIR/u);
  expect(readKeptAddress(full)).toBeNull();
});
