// `npm run coverage:spec`: which statements of docs/requirements.tsv no test names and docs/not-done.md gives no reason for.
// A test names them in its title, in brackets: test("a cut stream is resumed [STRM-012, STRM-014]", …).
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inProject } from "./paths.mjs";

const titles =
  /\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/g;
/** The title of a row of `it.each`: the row's first text, with ids in brackets. */
const rowTitles = /\[\s*"((?:\\.|[^"\\])*\[[A-Z][A-Z0-9]*-\d+\](?:\\.|[^"\\])*)"/g;
/** The title after a table of rows, however long the table is, or after an expression that makes one. */
const afterTables = /[\])]\s*\)\s*\(\s*"((?:\\.|[^"\\])*)"/g;
const identifier = /^[A-Z][A-Z0-9]*-\d+$/;

/**
 * The ids in the brackets of every title of a test file, the rows of tables included.
 * @param {string} source
 * @returns {string[]}
 */
export function idsInTitles(source) {
  const matches = [
    ...source.matchAll(titles),
    ...source.matchAll(rowTitles),
    ...source.matchAll(afterTables),
  ];
  const found = matches.map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const brackets = found.flatMap((title) => [...title.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1]));
  return brackets.flatMap((inner) => inner.split(/[\s,;]+/)).filter((word) => identifier.test(word));
}

/** @returns {{ id: string, area: string, source: string, requirement: string }[]} */
export function readRequirements(text) {
  const rows = text.trimEnd().split("\n").slice(1);
  return rows.map((row) => {
    const [id, area, , source, requirement] = row.split("\t");
    return { id, area, source, requirement };
  });
}

/**
 * The ids in the first column of the tables of docs/not-done.md, ranges such as `FILE-001 … FILE-055` written out.
 * @param {string} text
 * @returns {string[]}
 */
export function idsNotDone(text) {
  const cells = [...text.matchAll(/^\| *([A-Z][^|]*)\|/gm)].map((match) => match[1]);
  return cells.flatMap((cell) =>
    [...cell.matchAll(/([A-Z][A-Z0-9]*)-(\d+)(?: … \1-(\d+))?/g)].flatMap(([, area, first, last]) =>
      Array.from(
        { length: Number(last ?? first) - Number(first) + 1 },
        (_, index) => `${area}-${String(Number(first) + index).padStart(3, "0")}`,
      ),
    ),
  );
}

async function testFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === "node_modules" || entry.name === "dist" ? [] : testFiles(path);
    return /\.(test|spec)\.tsx?$/.test(entry.name) ? [path] : [];
  });
  return (await Promise.all(nested)).flat();
}

/**
 * What stands of docs/requirements.tsv: `open` rows have neither a test nor a reason, `doubled` ones have both, `unknown` are
 * ids that no row has, with the file that names them.
 */
export async function readSpecCoverage() {
  const rows = readRequirements(await readFile(inProject("docs", "requirements.tsv"), "utf8"));
  const notDone = new Set(idsNotDone(await readFile(inProject("docs", "not-done.md"), "utf8")));
  const folders = ["protocol", "server", "web", "e2e", "bench"].map((name) => inProject(name));
  const files = (await Promise.all(folders.map(testFiles))).flat();
  const known = new Set(rows.map((row) => row.id));
  const named = new Set();
  const unknown = [...notDone].filter((id) => !known.has(id)).map((id) => `${id} in docs/not-done.md`);
  for (const file of files) {
    for (const id of idsInTitles(await readFile(file, "utf8"))) {
      named.add(id);
      if (!known.has(id)) unknown.push(`${id} in ${file}`);
    }
  }
  const open = rows.filter(({ id }) => !named.has(id) && !notDone.has(id));
  const doubled = rows.filter(({ id }) => named.has(id) && notDone.has(id));
  return { rows, named, open, doubled, unknown };
}

/** Prints the open statements and the counts by area; 1 when a list does not hold. */
export async function printSpecCoverage() {
  const { rows, named, open, doubled, unknown } = await readSpecCoverage();
  for (const row of open) process.stdout.write(`${row.id}\t${row.requirement}\n`);
  process.stdout.write("\nNamed by a test\n");
  for (const area of new Set(rows.map((row) => row.area))) {
    const ofArea = rows.filter((row) => row.area === area);
    process.stdout.write(
      `  ${area}: ${ofArea.filter((row) => named.has(row.id)).length} of ${ofArea.length}\n`,
    );
  }
  process.stdout.write(
    `  all: ${rows.filter((row) => named.has(row.id)).length} of ${rows.length}; neither named nor in docs/not-done.md: ${open.length}\n`,
  );
  for (const { id } of doubled)
    process.stdout.write(`Done by a test's name, and in docs/not-done.md: ${id}\n`);
  for (const line of unknown) process.stdout.write(`No such statement: ${line}\n`);
  return doubled.length + unknown.length + open.length > 0 ? 1 : 0;
}
