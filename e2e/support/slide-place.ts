// Where the piece of the puzzle that was made last belongs: journeys read it where nobody else can, in the server's data.
import { expect, type Page } from "@playwright/test";
import { SLIDE_STEPS } from "@plumb/protocol/wire/captcha";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Pixels from the left. */
export function slidePlace(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, "plumb.db"), { readOnly: true });
  try {
    const row = db.prepare("select x from slide_captchas order by expires_at desc, rowid desc limit 1").get();
    if (row === undefined) throw new Error("no puzzle was made");
    return Number(row["x"]);
  } finally {
    db.close();
  }
}

/** Moves the piece on show to a place by keys, which is asked for when there is a piece, and leaves it there. `label`: of its handle. */
export async function slideTo(page: Page, label: string, place: () => number): Promise<void> {
  const handle = page.getByRole("slider", { name: label });
  await expect(handle).not.toHaveAttribute("aria-disabled", "true");
  await handle.focus();
  const { long, short } = SLIDE_STEPS;
  const x = place();
  for (let at = long; at <= x; at += long) await page.keyboard.press("PageUp", { delay: 70 });
  for (let at = short; at <= x % long; at += short) await page.keyboard.press("ArrowRight", { delay: 70 });
  await page.keyboard.press("Enter");
}
