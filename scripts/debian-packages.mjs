// What the tests and benchmarks need of the system: a browser, PostgreSQL, Redis, and type for Chinese in the screenshots.
import { access, constants, readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { run } from "./children.mjs";
import { Failure, reasonIn } from "./failure.mjs";
import { step } from "./steps.mjs";

const isProgram = (path) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

async function onPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const folder of folders) if (await isProgram(join(folder, name))) return true;
  return false;
}

const entries = (folder) => readdir(folder).catch(() => []);

async function hasPostgres() {
  if (process.env.TEST_POSTGRES_URL) return true;
  const versions = (await entries("/usr/lib/postgresql")).filter((version) => Number(version) >= 15);
  for (const version of versions)
    if (await isProgram(`/usr/lib/postgresql/${version}/bin/initdb`)) return true;
  return false;
}

async function hasChineseFont() {
  const folders = [
    "/usr/share/fonts/opentype/noto",
    "/usr/share/fonts/noto-cjk",
    "/usr/share/fonts/truetype/noto",
  ];
  const names = (await Promise.all(folders.map(entries))).flat();
  return names.some((name) => /CJK/i.test(name));
}

const needs = {
  chromium: { title: "Chromium", present: () => onPath("chromium") },
  postgresql: { title: "PostgreSQL 15 or later", present: hasPostgres },
  "redis-server": { title: "Redis", present: () => onPath("redis-server") },
  "fonts-noto-cjk": { title: "a Chinese font", present: hasChineseFont },
};

/** What to put before `apt-get` to be allowed to run it; undefined when nothing helps. */
async function asRoot() {
  if (process.getuid?.() === 0) return [];
  if (!(await onPath("sudo"))) return undefined;
  const { status } = await run("sudo", ["-n", "true"], { quiet: true });
  return status === 0 ? ["sudo", "-n"] : undefined;
}

/**
 * Installs the Debian packages that are missing, as root or by sudo without a password; else says what to install.
 * @param {(keyof typeof needs)[]} names
 */
export async function ensureDebianPackages(names) {
  const missing = [];
  for (const name of names) if (!(await needs[name].present())) missing.push(name);
  if (missing.length === 0) return;
  const list = missing.join(" ");
  const before = (await onPath("apt-get")) ? await asRoot() : undefined;
  if (before === undefined) {
    const titles = missing.map((name) => needs[name].title).join(", ");
    throw new Failure(
      `The tests need ${titles}. Install it, on Debian or Ubuntu with:  sudo apt-get install ${list}\n` +
        "(A running PostgreSQL can be named by TEST_POSTGRES_URL instead.)",
    );
  }
  await step(`Installing ${list} from Debian`, async () => {
    const apt = [...before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"];
    // An update that fails in part still leaves usable lists.
    const update = await run(apt[0], [...apt.slice(1), "update"], { quiet: true });
    const flags = ["install", "--no-install-recommends", ...missing];
    const { status, output } = await run(apt[0], [...apt.slice(1), ...flags], { quiet: true });
    if (status !== 0) {
      throw new Failure(
        `apt-get could not install ${list}. ${reasonIn(output) ?? ""}\n${update.status === 0 ? "" : update.output}${output}`.trim(),
      );
    }
  });
}
