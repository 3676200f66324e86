// Installs what only a GGUF model inside the process needs, into .extras/ (never into package.json: with all its
// GPU builds it would be 725 MB). Called by `npm start` when MODEL_PATH is set and by `npm test`.
// Run directly: node scripts/install-extras.mjs
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installLocked, npm } from "./npm-install.mjs";

/** Names each package with its hash; of the binaries those for Linux, without the GPU builds. */
const SOURCE = fileURLToPath(new URL("extras/gguf/", import.meta.url));
const VERSION = "3.22.1";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PLATFORMS = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "linux-arm": "linux-armv7l",
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "win32-x64": "win-x64",
  "win32-arm64": "win-arm64",
};

async function installedVersion(folder, name) {
  try {
    return JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8")).version;
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Makes sure node-llama-cpp and the binaries of this platform are in `<root>/.extras`; milliseconds when they are.
 * @param {{ root?: string, say?: (line: string) => void }} [options]
 */
export async function installExtras({ root = ROOT, say = (line) => console.log(line) } = {}) {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (!platform) {
    throw new Error(
      `A GGUF model cannot run inside the process on ${process.platform}-${process.arch}: there are no binaries for it. ` +
        "Unset MODEL_PATH and connect an endpoint with MODEL_BASE_URL instead.",
    );
  }
  const folder = join(root, ".extras");
  const names = ["node-llama-cpp", `@node-llama-cpp/${platform}`];
  const versions = await Promise.all(names.map((name) => installedVersion(folder, name)));
  if (versions.every((version) => version === VERSION)) return;
  say(`Installing node-llama-cpp ${VERSION} for ${platform} into .extras (about 85 MB) …`);
  try {
    await installLocked(SOURCE, folder);
    // Binaries for other systems are known by their version alone.
    if (process.platform !== "linux") {
      const flags = ["--omit=optional", "--ignore-scripts", "--save-exact"];
      await npm(["install", ...flags, `@node-llama-cpp/${platform}@${VERSION}`], folder);
    }
  } catch (error) {
    throw new Error(
      `The parts for running a GGUF model could not be installed into .extras. Is the package registry reachable? ${error.message}`,
      { cause: error },
    );
  }
  say("Installed. A GGUF file named by MODEL_PATH can run inside the process.");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  installExtras().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
