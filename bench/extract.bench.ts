// Documents of each type: seconds, processor time and peak memory of the process that reads one, beside a process that calls
// the library bare: no limits, no checks, its text whole in memory. Ours yields to other processes, so that on a busy machine
// its seconds on the clock say little: processor time is compared.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PictureReader } from "../server/src/adapters/document-reader/picture-reader.ts";
import { ProcessDocumentReader } from "../server/src/adapters/document-reader/process-document-reader.ts";
import { doc, ppt, xls } from "../server/src/adapters/document-reader/testing/binary-samples.fixture.ts";
import * as office from "../server/src/adapters/document-reader/testing/office-samples.fixture.ts";
import { mobi } from "../server/src/adapters/document-reader/testing/mobi-writer.fixture.ts";
import { pdf } from "../server/src/adapters/document-reader/testing/pdf-writer.fixture.ts";
import { pictureOf } from "../server/src/adapters/document-reader/testing/text-picture.fixture.ts";
import { describeMachine } from "./support/machine.ts";

const paragraphs = Number(process.env["PLUMB_PARAGRAPHS"] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), "plumb-bench-"));
const bare = fileURLToPath(new URL("extract/bare.ts", import.meta.url));
const pictures = new PictureReader();
const reader = new ProcessDocumentReader({ pictures });

const lines = Array.from(
  { length: paragraphs },
  (_, at) =>
    `Paragraph ${at}: everyone has the right to life, liberty and security of person. 人人有权享有生命、自由和人身安全。`,
);
const parts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
const rows = lines.map((line, at) => [line, String(at), `row ${at}`]);

const samples: Readonly<Record<string, () => Buffer>> = {
  txt: () => Buffer.from(lines.join("\n")),
  html: () => Buffer.from(lines.map((line) => `<p>${line}</p>`).join("\n")),
  pdf: () => pdf(parts(lines, 40)),
  docx: () => office.docx(lines),
  xlsx: () => office.xlsx(rows),
  pptx: () => office.pptx(parts(lines, 10), "A note"),
  odt: () => office.odt(lines),
  ods: () => office.ods(rows),
  odp: () => office.odp(parts(lines, 10)),
  epub: () => office.epub(parts(lines, 100).map((page) => page.map((line) => `<p>${line}</p>`).join(""))),
  mobi: () => mobi(lines.map((line) => `<p>${line}</p>`).join("")),
  doc: () => doc(lines),
  xls: () => xls(rows),
  ppt: () => ppt(parts(lines, 10).map((slide, at) => ({ title: `Slide ${at}`, box: slide.join("\r") }))),
};
/** We read their records ourselves. */
const withoutLibrary = ["ppt", "mobi"];

interface Cost {
  seconds: number;
  processorSeconds: number;
  peakMb: number;
  characters: number;
}

/** The highest memory that processes below this one hold while `work` runs. */
async function measured(work: () => Promise<number>): Promise<Cost> {
  let peak = 0;
  const watch = setInterval(() => {
    for (const pid of childrenOf(process.pid)) peak = Math.max(peak, peakOf(pid));
  }, 5);
  const start = performance.now();
  const used = endedChildrenSeconds();
  const characters = await work();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  return { seconds, processorSeconds: endedChildrenSeconds() - used, peakMb: peak / 1024, characters };
}

/** Processor time of all processes below this one that have ended; the kernel counts hundredths. */
function endedChildrenSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`;
    return existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
  });
}

/** Kilobytes; 0 for a process that has just ended. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function readByUs(file: string, extension: string): Promise<number> {
  const textPath = `${file}.text`;
  const limits = { bytes: 100_000_000, tokens: 1_000_000_000 };
  const result = await reader.read(
    { path: file, textPath, extension, limits, isShort: false },
    new AbortController().signal,
  );
  if (result.kind !== "text") throw new Error(`${extension} gave no text: ${JSON.stringify(result)}`);
  const { length } = readFileSync(textPath, "utf8");
  rmSync(textPath);
  return length;
}

function readBare(file: string, extension: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--no-warnings", bare, extension, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    child.on("error", reject);
    child.on("exit", (status) => {
      if (status === 0) resolve(Number(printed));
      else reject(new Error(`the library called bare failed on ${extension}`));
    });
  });
}

const shown = ({ seconds, processorSeconds, peakMb }: Cost) =>
  `${seconds.toFixed(2).padStart(6)} s ${processorSeconds.toFixed(2).padStart(5)} s ${peakMb.toFixed(0).padStart(4)} MB`;

console.log(describeMachine());
console.log(
  `${paragraphs} paragraphs of ${lines.at(-1)?.length ?? 0} characters; start of the process included\n`,
);
console.log(
  "type      file MB   read by us: clock, processor, peak    bare: the same    times the processor time",
);
const warm = join(folder, "warm.txt");
writeFileSync(warm, "The vocabulary that counts tokens is loaded once.");
await readByUs(warm, "txt");
for (const [extension, make] of Object.entries(samples)) {
  const file = join(folder, `sample.${extension}`);
  writeFileSync(file, make());
  const ours = await measured(() => readByUs(file, extension));
  const size = (readFileSync(file).length / 1e6).toFixed(1).padStart(7);
  const head = `${extension.padEnd(8)}  ${size}   ${shown(ours)}`;
  if (withoutLibrary.includes(extension)) {
    console.log(`${head}                          –`);
    continue;
  }
  const theirs = await measured(() => readBare(file, extension));
  if (ours.characters < paragraphs * 90 || theirs.characters < paragraphs * 90) {
    throw new Error(`${extension}: too little text (${ours.characters}, ${theirs.characters})`);
  }
  console.log(
    `${head}     ${shown(theirs)}    ${(ours.processorSeconds / theirs.processorSeconds).toFixed(2)}`,
  );
}
if ((await pictures.state()) === "installed") {
  const file = join(folder, "page.png");
  writeFileSync(file, await pictureOf(lines.slice(0, 30).map((line) => line.slice(0, 60))));
  console.log(
    `png, a page       ${shown(await measured(() => readByUs(file, "png")))}     with words in pictures read`,
  );
} else
  console.log("png, a page: what reads words in pictures is not installed (node scripts/install-ocr.mjs)");
await reader.close();
rmSync(folder, { recursive: true });
