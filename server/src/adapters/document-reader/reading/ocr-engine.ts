// What reads words in pictures, loaded from the folder that the scripts installed it into: it stands in no package.json.
import { constants } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The part of sharp that is used. */
export interface SharpPicture {
  metadata(): Promise<{ width?: number; height?: number }>;
  rotate(): SharpPicture;
  resize(options: { width: number; withoutEnlargement: boolean }): SharpPicture;
  flatten(options: { background: string }): SharpPicture;
  greyscale(): SharpPicture;
  extract(area: { left: number; top: number; width: number; height: number }): SharpPicture;
  removeAlpha(): SharpPicture;
  toColourspace(space: "srgb"): SharpPicture;
  png(options: { compressionLevel: number }): SharpPicture;
  raw(): SharpPicture;
  toBuffer(): Promise<Buffer>;
  toBuffer(options: {
    resolveWithObject: true;
  }): Promise<{ data: Buffer; info: { width: number; height: number } }>;
}

export type Sharp = ((
  input: Buffer,
  options?: { limitInputPixels?: number; raw?: { width: number; height: number; channels: 1 | 3 } },
) => SharpPicture) & { concurrency(threads: number): void; cache(options: false): void };

export interface Ocr {
  /** The lines of a picture from top to bottom. */
  detect(picture: Buffer): Promise<{ text: string }[]>;
}

export interface OcrEngine {
  sharp: Sharp;
  ocr: Ocr;
  /** What pdf.js draws on. */
  canvas: () => Promise<unknown>;
}

const moduleOf = async (folder: string, file: string) =>
  (await import(pathToFileURL(join(folder, "node_modules", file)).href)) as { default: unknown };

/** OpenCV asks Node's inside for the names of file flags, which this process may not. */
function answerForConstants(): void {
  Object.assign(process, { binding: () => ({ fs: constants }) });
}

export async function loadOcr(folder: string): Promise<OcrEngine> {
  answerForConstants();
  // The runtime would report to its makers, from native code that nothing here keeps from the network.
  process.env["ORT_DISABLE_TELEMETRY"] = "1";
  const sharp = (await moduleOf(folder, "sharp/lib/index.js")).default as Sharp;
  sharp.concurrency(1);
  sharp.cache(false);
  const { default: Engine } = await moduleOf(folder, "@gutenye/ocr-node/build/index.js");
  const ocr = await (Engine as { create(options: unknown): Promise<Ocr> }).create({
    // Warnings of the runtime go nowhere; memory that is free again is given back.
    onnxOptions: {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
      enableCpuMemArena: false,
    },
  });
  return { sharp, ocr, canvas: () => moduleOf(folder, "@napi-rs/canvas/index.js") };
}
