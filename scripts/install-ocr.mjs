// Installs what reads text in pictures and scans, into .extras/ocr (never into package.json: 110 MB that only a server with
// such files needs). `npm start` does it in the background once the server runs, unless OCR=off; `npm test` waits for it.
// How it stands lies in .extras/ocr/state.json, which the server reads. Run directly: node scripts/install-ocr.mjs
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installLocked } from "./npm-install.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Names each package with its hash. */
const SOURCE = fileURLToPath(new URL("extras/ocr/", import.meta.url));
/** Where all of them have binaries. */
const platforms = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"];

const wantedLock = async () =>
  createHash("sha256")
    .update(await readFile(join(SOURCE, "package-lock.json")))
    .digest("hex");

const folderOf = (root) => join(root, ".extras", "ocr");

/** @returns {Promise<{ state?: string, pid?: number, lock?: string, why?: string }>} */
async function readState(root) {
  try {
    return JSON.parse(await readFile(join(folderOf(root), "state.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return {};
    throw error;
  }
}

async function writeState(root, state) {
  const file = join(folderOf(root), "state.json");
  await mkdir(folderOf(root), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

/** onnxruntime-node brings the binaries of every system: 290 MB, of which one is used. */
async function removeOtherSystems(folder) {
  const binaries = join(folder, "node_modules", "onnxruntime-node", "bin", "napi-v6");
  for (const system of ["darwin", "linux", "win32"]) {
    for (const machine of ["x64", "arm64"]) {
      if (system === process.platform && machine === process.arch) continue;
      await rm(join(binaries, system, machine), { recursive: true, force: true });
    }
  }
}

/** Whether the parts are there. */
export async function hasOcr(root = ROOT) {
  const { state, lock } = await readState(root);
  return state === "installed" && lock === (await wantedLock());
}

/** Says to the server that the parts are on their way, before it asks. */
export async function announceOcr(root = ROOT) {
  await writeState(root, { state: "installing", pid: process.pid });
}

/**
 * Makes sure the parts are there; milliseconds when they are. A failure is written into the state, and thrown.
 * @param {{ root?: string, say?: (line: string) => void, install?: typeof installLocked }} [options] `install` for tests
 */
export async function installOcr({
  root = ROOT,
  say = (line) => console.log(line),
  install = installLocked,
} = {}) {
  if (await hasOcr(root)) return;
  const folder = folderOf(root);
  await announceOcr(root);
  try {
    const platform = `${process.platform}-${process.arch}`;
    if (!platforms.includes(platform)) throw new Error(`There are no binaries for ${platform}.`);
    say("Installing what reads text in pictures into .extras/ocr (about 110 MB; OCR=off keeps it away) …");
    await install(SOURCE, folder);
    await removeOtherSystems(folder);
    await writeState(root, { state: "installed", lock: await wantedLock() });
    say("Installed. Text in pictures and scans is read from now on.");
  } catch (error) {
    await writeState(root, { state: "failed", why: error.message });
    throw new Error(
      `What reads text in pictures could not be installed; the next start tries again. ${error.message}`,
      { cause: error },
    );
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  installOcr().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
