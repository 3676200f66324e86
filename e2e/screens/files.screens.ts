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
});
