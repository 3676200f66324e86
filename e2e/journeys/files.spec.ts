import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectAccessible } from "../support/accessible.ts";
import { givenFiles, pdfInParts } from "../support/given-files.ts";
import { expect, test } from "../support/journey.ts";
import { expectStill, noteShifts } from "../support/layout-shifts.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { FilesPart } from "../support/pages/files-part.ts";

const UPLOAD = "**/api/v0/file/upload_file";
const { pdf, docx, csv, python, notes, picture } = givenFiles;

test("files are attached by the button, a drop and a paste, sent, and opened in the panel [FILE-012] [FILE-030] [FILE-032] [FILE-041] [FILE-042]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "They agree." });
  const { page } = chat;
  const files = new FilesPart(chat);
  await chat.composer.focus();
  await files.input.setInputFiles([pdf, docx]);
  await files.drop([csv, picture], async () => {
    await expect(page.getByText(chat.text("files.drop"))).toBeVisible();
  });
  await expect(page.getByText(chat.text("files.drop"))).toBeHidden();
  await files.paste([python]);
  await expect(files.attached.getByRole("listitem")).toHaveCount(5);
  await expect(chat.button("composer.thinking")).toHaveAttribute("aria-disabled", "true");
  await files.ready(pdf.name, docx.name, csv.name, python.name);
  const columns = await files.attached.evaluate(
    (list) => getComputedStyle(list).gridTemplateColumns.split(" ").length,
  );
  expect(columns).toBe(3);
  // An office file has no preview.
  await expect(files.tile(docx.name).getByRole("button")).toHaveCount(1);
  await expectAccessible(page, "files in the composer");
  await files
    .tile(picture.name)
    .getByRole("button", { name: chat.text("files.remove", { name: picture.name }) })
    .press("Enter");
  await expect(
    files.tile(python.name).getByRole("button", { name: chat.text("files.remove", { name: python.name }) }),
  ).toBeFocused();
  await expect(files.attached.getByRole("listitem")).toHaveCount(4);
  await chat.send(question);
  await chat.finished();
  await expect(files.attached).toHaveCount(0);
  for (const file of [pdf, docx, csv, python]) await expect(files.sentTile(file.name)).toBeVisible();
  expect(JSON.stringify(calls.firstAnswer?.messages)).toContain("The oats of May.");

  const open = (name: string) =>
    files
      .sentTile(name)
      .getByRole("button", { name: chat.text("files.open", { name }) })
      .click();
  await open(pdf.name);
  const pages = files.panel.getByRole("group");
  await expect(pages).toHaveCount(12);
  await expect(pages.first().locator("canvas")).toBeVisible();
  await expect(pages.first().getByText("Harvest report, page 1")).toBeAttached();
  await expect(pages.last().locator("canvas")).toHaveCount(0);
  const narrow = (await pages.first().boundingBox())?.width ?? 0;
  await files.panel.getByRole("button", { name: chat.text("files.larger") }).click();
  await expect
    .poll(async () => (await pages.first().boundingBox())?.width ?? 0)
    .toBeGreaterThan(narrow * 1.2);
  await files.panel
    .getByRole("region", { name: pdf.name })
    .evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(pages.last().locator("canvas")).toBeVisible();
  await expect(
    files.panel.getByText(chat.text("files.page", { page: 12, pages: 12 }), { exact: true }),
  ).toBeVisible();
  await expectAccessible(page, "a PDF in the panel");

  await open(csv.name);
  const table = files.panel.getByRole("table");
  await expect(table.getByRole("columnheader", { name: "remarks" })).toBeVisible();
  await expect(table.getByRole("cell", { name: 'late, "wet"' }).first()).toBeAttached();
  // Of two thousand rows only those near the screen are there.
  expect(await table.getByRole("row").count()).toBeLessThan(400);
  await files.panel.getByRole("region").evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(table.getByRole("cell", { name: "2026-1999" })).toBeVisible();
  await expectAccessible(page, "a table in the panel");

  await open(python.name);
  const code = files.panel.getByRole("region", { name: python.name });
  await expect(code.locator("[data-scope=keyword]").first()).toHaveText("def");
  expect(await code.locator("[data-scope=keyword]").count()).toBeLessThan(900);
  await code.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(code.getByText("return 499")).toBeVisible();
  await expectAccessible(page, "code in the panel");

  await chat.button("common.newChat").first().click();
  await expect(files.panel).toHaveCount(0);
});

test("a page of a PDF that could not be had is tried again, and the others stay", async ({
  chat,
  calls,
  consoleWatch,
}) => {
  calls.expect({ answer: 0 });
  consoleWatch.allow(/net::ERR_/);
  const { page } = chat;
  const files = new FilesPart(chat);
  const fields = pdfInParts("fields.pdf");
  const middle = fields.buffer.length / 2;
  const lost: string[] = [];
  let isLost = (from: number, to: number) => from <= middle && middle <= to;
  await page.route("**/api/v0/file/raw?**", (route) => {
    const range = route.request().headers()["range"] ?? "";
    const [, from = 0, to = -1] = /^bytes=(\d+)-(\d+)$/u.exec(range)?.map(Number) ?? [];
    if (range === "" || !isLost(from, to)) return route.continue();
    lost.push(range);
    return route.abort("connectionreset");
  });
  await chat.composer.focus();
  await files.input.setInputFiles([fields]);
  await files.ready(fields.name);
  await files
    .tile(fields.name)
    .getByRole("button", { name: chat.text("files.open", { name: fields.name }) })
    .click();
  const pages = files.panel.getByRole("group");
  const again = pages.nth(1).getByRole("button", { name: chat.text("common.retry") });
  await expect(again).toBeVisible();
  await expect(pages.nth(1).getByText(chat.text("files.pageFailed"))).toBeVisible();
  for (const drawn of [pages.first(), pages.last()]) await expect(drawn.locator("canvas")).toBeVisible();
  await expectAccessible(page, "a PDF with a page that could not be had");

  // The page is lost once more, and then nothing of the file can be had.
  for (const next of [isLost, () => true]) {
    isLost = next;
    const before = lost.length;
    await again.click();
    await expect.poll(() => lost.length).toBeGreaterThan(before);
    await expect(again).toBeEnabled();
    for (const drawn of [pages.first(), pages.last()]) await expect(drawn.locator("canvas")).toBeVisible();
  }
  isLost = () => false;
  await again.focus();
  await again.press("Enter");
  await expect(pages.nth(1).locator("canvas")).toBeVisible();
  await expect(pages.nth(1).getByText("The fields, page 2")).toBeAttached();
  await expect(again).toHaveCount(0);
  await expect(files.panel.getByRole("region", { name: fields.name })).toBeFocused();
});

test("a picture in the panel runs nothing, and can be made larger", async ({ chat, calls }) => {
  calls.expect({ answer: 0 });
  const { page } = chat;
  const files = new FilesPart(chat);
  // The words of pictures need parts that are not installed here: what the server says of this one is made up.
  await page.route("**/api/v0/file/fetch_files?**", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { biz_data: { files: object[] } } };
    answer.data.biz_data.files = answer.data.biz_data.files.map((file) => ({
      ...file,
      status: "SUCCESS",
      error_code: null,
      previewable: true,
    }));
    await route.fulfill({ response, json: answer });
  });
  await page.route("**/api/v0/file/preview?**", (route) => {
    const url = new URL("/api/v0/file/raw?token=picture", page.url()).href;
    const biz_data = { url, expire_at: Date.now() / 1000 + 3600, type: "image", name: picture.name };
    const data = { code: 0, biz_code: 0, biz_msg: "", biz_data };
    return route.fulfill({ json: { code: 0, msg: "", data, context: { logId: "" } } });
  });
  await page.route("**/api/v0/file/raw?**", (route) =>
    route.fulfill({ body: picture.buffer, contentType: picture.mimeType }),
  );
  await chat.composer.focus();
  await files.input.setInputFiles([picture]);
  await files.ready(picture.name);
  await files
    .tile(picture.name)
    .getByRole("button", { name: chat.text("files.open", { name: picture.name }) })
    .click();
  const image = files.panel.getByRole("img", { name: picture.name });
  await expect(image).toBeVisible();
  await expect(files.panel.getByText("640 × 480")).toBeVisible();
  const fitting = (await image.boundingBox())?.width ?? 0;
  expect(fitting).toBeLessThan(400);
  await files.panel.getByRole("button", { name: chat.text("files.larger") }).click();
  await expect.poll(async () => (await image.boundingBox())?.width ?? 0).toBeGreaterThan(fitting);
  expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  await expectAccessible(page, "a picture in the panel");
  await page.keyboard.press("Escape");
  await expect(files.panel).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const preferences = { theme: "dark", locale: "zh_CN" };

  test("what cannot be uploaded is said, a lost upload is tried again, and a reload keeps what the server has", async ({
    openAs,
    account,
    calls,
    consoleWatch,
  }) => {
    calls.expect({ answer: 0 });
    consoleWatch.allow(/net::ERR_/);
    const page = await openAs(account, { preferences });
    const chat = new ChatPage(page, "zh_CN");
    const files = new FilesPart(chat);
    await chat.composer.tap();
    const folder = mkdtempSync(join(tmpdir(), "plumb-files-"));
    const large = join(folder, "large.txt");
    writeFileSync(large, "");
    truncateSync(large, 100 * 1024 * 1024 + 1);
    await files.input.setInputFiles([large]);
    await expect(
      page.getByText(chat.text("uploadMax100MBSize", { max: 100, names: "large.txt" })),
    ).toBeVisible();
    rmSync(folder, { recursive: true });
    const empty = { ...notes, name: "empty.txt", buffer: Buffer.alloc(0) };
    const program = { ...notes, name: "setup.exe" };
    await files.input.setInputFiles([empty, program, notes, csv, python, docx]);
    await expect(page.getByText(chat.text("fileSizeEmptyAmong", { names: empty.name }))).toBeVisible();
    await expect(page.getByText(chat.text("dragFileErrorTip", { names: program.name }))).toBeVisible();
    await files.ready(notes.name, csv.name, python.name, docx.name);
    const columns = await files.attached.evaluate(
      (list) => getComputedStyle(list).gridTemplateColumns.split(" ").length,
    );
    expect(columns).toBe(2);

    await page.route(UPLOAD, (route) => route.abort("connectionreset"));
    await files.input.setInputFiles([pdf]);
    await expect(files.tile(pdf.name)).toHaveAttribute("data-state", "error");
    await expect(files.tile(pdf.name).getByText(chat.text("networkError"))).toBeVisible();
    await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
    await expectAccessible(page, "a failed upload on a phone");
    await page.unroute(UPLOAD);
    await files
      .tile(pdf.name)
      .getByRole("button", { name: chat.text("files.retry", { name: pdf.name }) })
      .tap();
    await files.ready(pdf.name);

    await page.route(UPLOAD, () => {});
    await files.input.setInputFiles([{ ...notes, name: "on its way.md" }]);
    await expect(
      files.tile("on its way.md").getByText(chat.text("fileUploading", { percent: 0 })),
    ).toBeVisible();
    await noteShifts(page);
    await page.reload();
    await expect(files.tile("on its way.md").getByText(chat.text("fileInterrupted"))).toBeVisible();
    await files.ready(notes.name, csv.name, python.name, docx.name, pdf.name);
    await expectStill(page, "the files of a draft after a reload");
  });
});
