// Photographs the gallery: node dev/take-screens.ts OUT_FOLDER [state,…] [width or widthxheight,…] [theme,…] [locale,…]
// A theme is light, dark, forced (the colours of the system) or print.
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
  const [across = 1440, down = heights[width] ?? 900] = width.split("x").map(Number);
  const touch = across < 800 || down < 500;
  const context = await browser.newContext({
    viewport: { width: across, height: down },
    hasTouch: touch,
    isMobile: touch,
  });
  for (const state of list(states, galleryStates()))
    for (const theme of list(themes, ["light"]))
      for (const locale of list(locales, ["en_US"])) {
        const page = await context.newPage();
        page.on("console", (line) => line.type() === "error" && console.error(`${state}: ${line.text()}`));
        page.on("pageerror", (error) => console.error(`${state}: ${error.message}`));
        await page.emulateMedia({
          forcedColors: theme === "forced" ? "active" : "none",
          media: theme === "print" ? "print" : "screen",
        });
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
