// Photographs the gallery: node dev/take-screens.ts OUT_FOLDER [state,state] [width,width] [theme,theme] [locale,locale]
import { chromium } from "@playwright/test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "vite";
import { galleryStates } from "./gallery-states.ts";

const list = (text: string | undefined, fallback: string[]) => (text ? text.split(",") : fallback);
const [out = "screens", states, widths, themes, locales] = process.argv.slice(2);
const heights: Record<string, number> = { "1440": 900, "820": 1180, "390": 844 };

const server = await createServer({ root: join(import.meta.dirname, ".."), server: { port: 0, hmr: false } });
await server.listen();
const address = server.resolvedUrls?.local[0] ?? "";
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
await mkdir(out, { recursive: true });
for (const width of list(widths, ["1440"])) {
  const touch = Number(width) < 800;
  const context = await browser.newContext({
    viewport: { width: Number(width), height: heights[width] ?? 900 },
    hasTouch: touch,
    isMobile: touch,
  });
  for (const state of list(states, galleryStates()))
    for (const theme of list(themes, ["light"]))
      for (const locale of list(locales, ["en_US"])) {
        const page = await context.newPage();
        page.on("console", (line) => line.type() === "error" && console.error(`${state}: ${line.text()}`));
        page.on("pageerror", (error) => console.error(`${state}: ${error.message}`));
        await page.goto(`${address}dev/gallery.html?state=${state}&theme=${theme}&locale=${locale}`);
        await page.waitForLoadState("networkidle");
        await page.waitForTimeout(state.includes("loading") || state === "waiting" ? 1000 : 250);
        await page.screenshot({ path: join(out, `${state}-${width}-${theme}-${locale}.png`) });
        await page.close();
      }
  await context.close();
}
await browser.close();
await server.close();
