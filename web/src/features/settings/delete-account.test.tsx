import type { ClientSettings } from "@plumb/protocol/wire/site";
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { loadAccountTexts } from "../../i18n/account-texts.ts";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { letDialogsOpen, openDrawnPage } from "../../markdown/testing/drawn-page.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["of support", "help@example.org", "mail@example.org", "mailto:help@example.org"],
  ["of the operator, where support has none", null, "mail@example.org", "mailto:mail@example.org"],
  ["nobody has said", null, null, undefined],
])("the deletion of the account names the address %s [ACCT-019]", async (_whose, support, contact, link) => {
  const engine = await engineAtRest();
  await setLocale("en_US");
  await Promise.all([loadDialogTexts(), loadAccountTexts()]);
  const settings = { support: { email: support }, links: { en_US: { contact_email: contact } } };
  engine.site.settings.setState({
    settings: settings as unknown as ClientSettings,
    isKept: false,
    failed: false,
  });
  const page = await openDrawnPage();
  letDialogsOpen(page);
  const { DeleteAccount } = await import("./delete-account.tsx");
  await page.draw(
    <EngineProvider engine={engine}>
      <DeleteAccount />
    </EngineProvider>,
  );
  const links = () => [...page.document.querySelectorAll("a")].map((a) => a.getAttribute("href"));
  expect(links()).toEqual([]);
  await act(async () => page.document.querySelector("button")?.click());
  expect(page.document.body.textContent).toContain("DELETE MY ACCOUNT");
  expect(links()).toEqual(link === undefined ? [] : [link]);
  await page.close();
});
