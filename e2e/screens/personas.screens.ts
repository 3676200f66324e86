import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

everyLook((look) => {
  const { content } = look;

  test("roles", async ({ openAs, stack, upstream, calls }) => {
    calls.expect({ answer: 1 });
    scriptContent(upstream, content);
    const album = new Album(look, "roles");
    const account = await ApiAccount.signUp(stack);
    for (const persona of content.personas) await account.createCharacter(persona);
    const { name = "" } = content.personas.at(-1) ?? {};
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);

    await expect(chat.composer).toBeVisible();
    await page.mouse.move(1, 1);
    await page.keyboard.press("Shift");
    await expect(page.getByRole("link", { name })).toBeVisible();
    await album.shoot(page, "welcome");
    await chat.openList();
    await chat.sidebar.accountAction("profile.roles");
    await expect(page.getByRole("link", { name: chat.text("persona.chatWith", { name }) })).toBeVisible();
    await album.shoot(page, "roles");
    await page.getByRole("button", { name: chat.text("persona.editNamed", { name }) }).click();
    await page.getByRole("textbox", { name: chat.text("persona.name") }).fill("");
    await page.getByRole("button", { name: chat.text("persona.save") }).click();
    await expect(page.getByText(chat.text("persona.nameEmpty"))).toBeVisible();
    await album.shoot(page, "role-with-an-error");
    await page.getByRole("button", { name: chat.text("common.cancel") }).click();
    await page.getByRole("button", { name: chat.text("persona.deleteNamed", { name }) }).click();
    await expect(page.getByText(chat.text("persona.deleteTitle"))).toBeVisible();
    await album.shoot(page, "delete");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: chat.text("persona.chatWith", { name }) }).click();
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await album.shoot(page, "greeting");
    await chat.send(content.personaQuestion);
    await chat.finished();
    await album.shoot(page, "turn");
    const session = (await account.sessions()).find(({ character_id: id }) => id !== null);
    await account.deleteCharacter(session?.character_id ?? "");
    await page.reload();
    await expect(page.getByText(chat.text("characterDeleted"))).toBeVisible();
    await album.shoot(page, "deleted");
    await page.close();
  });
});
