// Photographs the mark as the icons of the installed app: `node web/dev/take-icons.ts`, after the mark has changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";

const at = join(import.meta.dirname, "..", "public", "static");
const mark = /<path d="([^"]+)"/.exec(readFileSync(join(at, "favicon.svg"), "utf8"))?.[1];
if (mark === undefined) throw new Error("the favicon has no path");

/** `rounded`: a tile with corners of its own; others are cut to shape by the system. `part`: how much of it the mark takes. */
const icons = [
  { name: "icon-192", size: 192, rounded: true, part: 0.62 },
  { name: "icon-512", size: 512, rounded: true, part: 0.62 },
  // Of a maskable one only the middle circle of four fifths is sure to be seen.
  { name: "maskable-192", size: 192, rounded: false, part: 0.52 },
  { name: "maskable-512", size: 512, rounded: false, part: 0.52 },
  { name: "apple-touch-icon", size: 180, rounded: false, part: 0.6 },
];

const browser = await chromium.launch({
  executablePath: process.env["PLUMB_CHROMIUM"] ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage();
for (const { name, size, rounded, part } of icons) {
  await page.setViewportSize({ width: size, height: size });
  const inner = size * part;
  const edge = (size - inner) / 2;
  await page.setContent(
    `<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" style="display:block">
      <rect width="${size}" height="${size}" rx="${rounded ? size * 0.22 : 0}" fill="#0b6270"/>
      <svg x="${edge}" y="${edge}" width="${inner}" height="${inner}" viewBox="0 0 24 24"><path d="${mark}" fill="#fbfbfa"/></svg>
    </svg></body>`,
  );
  await page.screenshot({ path: join(at, "icons", `${name}.png`), omitBackground: rounded });
}
await browser.close();
