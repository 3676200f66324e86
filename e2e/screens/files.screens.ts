import { ApiAccount } from "../support/api-account.ts";
import { givenFiles } from "../support/given-files.ts";
import { expect, test } from "../support/journey.ts";
import { FilesPart } from "../support/pages/files-part.ts";
import { Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

const { pdf, docx, csv, python, notes } = givenFiles;

everyLook((look) => {
  const { content } = look;

  test("files", async ({ openAs, stack, upstream, calls, consoleWatch }) => {
    calls.expect({ answer: 1 });
    consoleWatch.allow(/net::ERR_/);
    scriptContent(upstream, content);
    const album = new Album(look, "files");
    const page = await openAs(await ApiAccount.signUp(stack), { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const files = new FilesPart(chat);

    await chat.composer.focus();
    await files.drop([notes], async () => {
      await expect(page.getByText(chat.text("files.drop"))).toBeVisible();
      await album.shoot(page, "drop");
    });
    await files.input.setInputFiles([pdf, docx, csv]);
    await files.ready(pdf.name, docx.name, csv.name);
    await page.route("**/upload_file", (route) => route.abort("connectionreset"));
    await files.input.setInputFiles([python]);
    await expect(files.tile(python.name)).toHaveAttribute("data-state", "error");
    await page.unroute("**/upload_file");
    await page.route("**/upload_file", () => {});
    await files.input.setInputFiles([{ ...notes, name: "on its way.md" }]);
    await expect(files.tile("on its way.md")).toHaveAttribute("data-state", "busy");
    await album.shoot(page, "attached");
    await page.unroute("**/upload_file");
    await files
      .tile("on its way.md")
      .getByRole("button", { name: chat.text("files.remove", { name: "on its way.md" }) })
      .click();
    await files
      .tile(python.name)
      .getByRole("button", { name: chat.text("files.retry", { name: python.name }) })
      .click();
    await files.ready(python.name);
    await chat.send(content.question);
    await chat.finished();
    await files.sentTile(pdf.name).hover();
    await album.shoot(page, "sent");
    for (const { name } of [pdf, csv, python]) {
      await files
        .sentTile(name)
        .getByRole("button", { name: chat.text("files.open", { name }) })
        .click();
      await expect(files.panel.locator("canvas, table, [data-scope]").first()).toBeVisible();
      await album.shoot(page, `panel-${name.split(".").at(-1) ?? ""}`);
      await files.panel.getByRole("button", { name: chat.text("common.close") }).click();
      await expect(files.panel).toHaveCount(0);
    }
    await page.close();
  });

  test("files with hard names, and more text than fits", async ({ openAs, stack, calls, consoleWatch }) => {
    calls.expect({ answer: 0 });
    consoleWatch.allow(/net::ERR_|status of 503/);
    const album = new Album(look, "hard-files");
    const page = await openAs(await ApiAccount.signUp(stack), { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const files = new FilesPart(chat);
    const named = (name: string) => ({ ...notes, name });
    const names = [
      "会议纪要.docx.md",
      "第四季度收成与气象观测记录汇总（修订第三版，含附录）2026年11月.md",
      "تقرير الربع الأول من عام 2026.md",
      `${"a very long name without an end ".repeat(7)}.md`,
      "x".repeat(200) + ".md",
    ];

    await chat.composer.focus();
    await page.route("**/upload_file", (route) => route.abort("connectionreset"));
    await files.input.setInputFiles([named("報告書の下書き.md")]);
    await expect(files.tile("報告書の下書き.md")).toHaveAttribute("data-state", "error");
    await page.unroute("**/upload_file");
    await page.route("**/create_pow_challenge", (route) =>
      route.fulfill({ status: 503, body: "<h1>away</h1>" }),
    );
    await files.input.setInputFiles([named("the server is away.md")]);
    await expect(files.tile("the server is away.md")).toHaveAttribute("data-state", "error");
    await page.unroute("**/create_pow_challenge");
    await files.input.setInputFiles(names.map(named));
    await files.ready(...names);
    await album.shoot(page, "names");
    await album.shootAt(page, "names", [
      [320, 568],
      [320, 720],
    ]);
    // By keys alone: each goes on to the one beside it, the last one to the words.
    await files.attached
      .getByRole("button", { name: /remove|移除/i })
      .first()
      .press("Enter");
    while ((await files.attached.getByRole("listitem").count()) > 0) await page.keyboard.press("Enter");
    await expect(chat.composer).toBeFocused();
    const text = Buffer.from("The oats of May were late, and the barley was wet.\n".repeat(3500));
    await files.input.setInputFiles([
      { ...named("harvest 2025.txt"), mimeType: "text/plain", buffer: text },
      { ...named("harvest 2026.txt"), mimeType: "text/plain", buffer: text },
    ]);
    await files.ready("harvest 2025.txt", "harvest 2026.txt");
    await album.shoot(page, "over-budget");
    await page.close();
  });
});
