import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { heldBytes } from "../../../test/held-bytes.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createFolderObjectStore } from "./folder-object-store.ts";
import { objectStoreContract } from "./object-store-contract.ts";

const newFolder = () => join(temporaryFolder("objects"), "objects");

objectStoreContract("a folder", heldBytes, async () => {
  const folder = newFolder();
  const incoming = join(folder, "incoming");
  return {
    store: createFolderObjectStore(folder),
    unfinished: async () => (existsSync(incoming) ? readdirSync(incoming).length : 0),
  };
});

test("nothing is executable or open to others, and nothing else is in the folder", async () => {
  const folder = newFolder();
  const store = createFolderObjectStore(folder);
  await store.put(
    "abc-def.content",
    (async function* () {
      yield Buffer.from("#!/bin/sh\n");
    })(),
  );
  const paths = readdirSync(folder, { recursive: true }).map(String).toSorted();
  expect(paths).toEqual(["ab", "ab/abc-def.content", "incoming"]);
  expect(statSync(join(folder, "ab/abc-def.content")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "ab")).mode & 0o077).toBe(0);
});

test("what a system has put into the folder besides is no object", async () => {
  const folder = newFolder();
  const store = createFolderObjectStore(folder);
  await store.put(
    "abc-def.content",
    (async function* () {
      yield Buffer.from("bytes");
    })(),
  );
  writeFileSync(join(folder, ".DS_Store"), "what a file manager keeps");
  writeFileSync(join(folder, "ab", ".DS_Store"), "what a file manager keeps");
  writeFileSync(join(folder, "zz"), "a file in the place of a folder");
  mkdirSync(join(folder, "lost+found"));
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  expect(keys).toEqual(["abc-def.content"]);
});
