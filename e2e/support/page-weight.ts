// What a page loads before anybody touches it, compressed by gzip.
import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";

/** The most that the scripts, the styles and the page itself may weigh, in kilobytes. */
export const weightLimits = { signIn: 170, chat: 300 };

export interface LoadedFile {
  path: string;
  /** Bytes after gzip. */
  gzip: number;
  /** HTML, scripts and styles; not fonts and images. */
  isCode: boolean;
}

const kilobyte = 1000;
const counted = new Set(["document", "script", "stylesheet", "font", "image", "fetch", "other", "manifest"]);
const code = new Set(["document", "script", "stylesheet"]);

/** Opens an address and tells everything the page gets until the network has been still, but for the API's answers. */
export async function loadedFiles(page: Page, address: string): Promise<LoadedFile[]> {
  const loaded: Promise<LoadedFile>[] = [];
  const note = (response: Response): void => {
    const { pathname: path } = new URL(response.url());
    const type = response.request().resourceType();
    if (path.startsWith("/api/") || response.status() !== 200 || !counted.has(type)) return;
    const isCode = code.has(type) || path.endsWith(".js");
    loaded.push(
      response.body().then((body) => ({ path, isCode, gzip: gzipSync(body, { level: 9 }).length })),
    );
  };
  page.on("response", note);
  await page.goto(address, { waitUntil: "networkidle" });
  // What comes later may have no body any more when the page is closed.
  page.off("response", note);
  return Promise.all(loaded);
}

/** What files weigh together, in kilobytes. */
export function weightOf(files: readonly LoadedFile[]): number {
  return files.reduce((sum, { gzip }) => sum + gzip, 0) / kilobyte;
}
