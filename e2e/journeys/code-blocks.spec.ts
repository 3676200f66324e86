// What can be done with code and diagrams of a reply, and how long a tick stays.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

/** Saves what a press downloads; its name and content. */
async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [saved] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: saved.suggestedFilename(), content: readFileSync(await saved.path()) };
}

/** How many pixels of a picture have the ink of the page's text. */
function inkOf(picture: Locator): Promise<number> {
  return picture.evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext("2d");
    if (context === null) return 0;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const ink = getComputedStyle(document.body).color.match(/\d+/g)?.map(Number) ?? [];
    let pixels = 0;
    for (let at = 0; at < data.length; at += 4) {
      const isInk = [0, 1, 2].every(
        (channel) => Math.abs((data[at + channel] ?? 0) - (ink[channel] ?? 0)) < 8,
      );
      if (isInk && data[at + 3] === 255) pixels += 1;
    }
    return pixels;
  });
}

/** The share of the pixels of an element, as it shows, that are nearer to black than to white, and of those of a colour. */
async function sharesOf(
  element: Locator,
  colour = "rgb(0, 0, 0)",
): Promise<{ dark: number; coloured: number }> {
  const shown = (await element.screenshot()).toString("base64");
  return element.evaluate(
    async (_, [encoded, wanted]) => {
      const png = Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([png]));
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
      if (context === null) return { dark: Number.NaN, coloured: Number.NaN };
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      const parts = wanted.match(/\d+/g)?.map(Number) ?? [];
      const all = picture.width * picture.height;
      let dark = 0;
      let coloured = 0;
      for (let at = 0; at < data.length; at += 4) {
        const pixel = [...data.subarray(at, at + 3)];
        if (pixel.reduce((sum, part) => sum + part, 0) < 383) dark += 1;
        if (pixel.every((part, channel) => Math.abs(part - (parts[channel] ?? 0)) < 4)) coloured += 1;
      }
      return { dark: dark / all, coloured: coloured / all };
    },
    [shown, colour] as const,
  );
}

test("code is downloaded as it is; a diagram is drawn by itself, shown as code too, and saved as PNG at scale 3 [REND-006] [REND-008] [REND-009]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const code = 'print("你好")\n';
  const answer = `\`\`\`python\n${code}\`\`\`\n\n\`\`\`mermaid\ngraph TD\n  A[Start] --> B[End]\n\`\`\`\n\nDone.`;
  upstream.script({ match: { user: question }, answer });
  const { page } = chat;
  await chat.send(question);
  await chat.finished();
  const save = chat.lastReply.getByRole("button", { name: chat.text("markdown.download"), exact: true });
  const file = await download(page, () => save.first().click());
  expect(file.name).toMatch(/^\d{8}-[0-9a-f]{6}\.py$/);
  expect(file.content.toString()).toBe(code);

  const picture = chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") });
  await expect(picture).toBeVisible({ timeout: 25_000 });
  const [width, height] = await picture.evaluate((image) => [
    Number(image.getAttribute("width")),
    Number(image.getAttribute("height")),
  ]);
  // Reduced motion, which journeys ask for, once gave every part of a diagram the colour of its ground.
  expect(await inkOf(picture), "pixels of ink in the diagram").toBeGreaterThan(20);
  await save.last().click();
  const png = await download(page, () =>
    page.getByRole("menuitem", { name: chat.text("markdown.downloadPicture") }).click(),
  );
  expect(png.name).toMatch(/\.png$/);
  // The size stands in the header of the file.
  expect(png.content.subarray(1, 4).toString()).toBe("PNG");
  expect(png.content.readUInt32BE(16)).toBe(Math.ceil((width ?? 0) * 3));
  expect(png.content.readUInt32BE(20)).toBe(Math.ceil((height ?? 0) * 3));

  await chat.button("markdown.code").click();
  await expect(picture).toHaveCount(0);
  await expect(chat.lastReply.locator("pre").last()).toContainText("A[Start] --> B[End]");
});

test("a diagram that is drawn where the system forces its colours has the product's own", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const source = "```mermaid\ngraph TD\n  A[Start] --> B[End]\n```\n\nDone.";
  upstream.script({ match: { user: question }, answer: source });
  await chat.page.emulateMedia({ forcedColors: "active" });
  await chat.send(question);
  await chat.finished();
  const picture = chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") });
  await expect(picture).toBeVisible({ timeout: 25_000 });
  await chat.page.emulateMedia({ forcedColors: "none" });
  expect(await inkOf(picture), "pixels of ink in the diagram").toBeGreaterThan(20);
});

test("a diagram shown in the dark is printed light, in the colours that its author chose", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const source = "```mermaid\ngraph TD\n  A[Start] --> B[End]\n  style B fill:#9f6\n```\n\nDone.";
  upstream.script({ match: { user: question }, answer: source });
  const page = await openAs(account, { preferences: { theme: "dark" } });
  const chat = new ChatPage(page);
  await chat.send(question);
  await chat.finished();
  const picture = chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") });
  await expect(picture).toBeVisible({ timeout: 25_000 });
  const green = "rgb(153, 255, 102)";
  const { dark, coloured } = await sharesOf(picture, green);
  expect(dark).toBeGreaterThan(0.6);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await expect(picture).toHaveCount(1);
  await expect.poll(async () => (await sharesOf(picture, green)).coloured).toBeGreaterThan(coloured / 2);
  expect((await sharesOf(picture)).dark).toBeLessThan(0.2);
});

test("where the system forces its colours a diagram is in the system's theme, whatever the page's is", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const source = "```mermaid\ngraph TD\n  A[Start] --> B[End]\n```\n\nDone.";
  upstream.script({ match: { user: question }, answer: source });
  const page = await openAs(account, { preferences: { theme: "dark" } });
  const chat = new ChatPage(page);
  await page.emulateMedia({ colorScheme: "light" });
  await chat.send(question);
  await chat.finished();
  const frame = chat.lastReply.getByRole("group", { name: chat.text("markdown.diagram") });
  await expect(frame).toBeVisible({ timeout: 25_000 });
  expect((await sharesOf(frame)).dark).toBeGreaterThan(0.6);
  await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
  await expect.poll(async () => (await sharesOf(frame)).dark).toBeLessThan(0.2);
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await expect.poll(async () => (await sharesOf(frame)).dark).toBeGreaterThan(0.6);
});

test("a diagram that can't be drawn shows an error at its block and in a toast, and stays code [REND-011]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "```mermaid\nno diagram -->\n```\n\nDone." });
  await chat.send(question);
  await chat.finished();
  const words = chat.text("markdown.diagramFailed");
  await expect(chat.page.getByRole("status").filter({ hasText: words })).toBeVisible({ timeout: 25_000 });
  await expect(chat.lastReply.getByText(words)).toBeVisible();
  await expect(chat.lastReply.locator("pre")).toContainText("no diagram -->");
});

test("the ticks of a copied message and of copied code go after a second [ENG-077]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "```python\nprint()\n```\n\nDone." });
  const { page } = chat;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await page.reload();
  await chat.send(question);
  await chat.finished();
  const named = (key: "common.copy" | "common.copied") =>
    chat.lastReply.getByRole("button", { name: chat.text(key), exact: true });
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await expect(named("common.copy")).toHaveCount(2);
  for (const place of [0, 1]) {
    await named("common.copy").nth(place).click();
    await expect(named("common.copied")).toHaveCount(1);
    await page.clock.runFor(999);
    await expect(named("common.copied")).toHaveCount(1);
    await page.clock.runFor(1);
    await expect(named("common.copy")).toHaveCount(2);
  }
  await page.clock.resume();
});
