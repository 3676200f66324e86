import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { loadAccountTexts } from "../../i18n/account-texts.ts";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { letDialogsOpen, openDrawnPage } from "../../markdown/testing/drawn-page.ts";

afterEach(() => vi.unstubAllGlobals());

test("settings that went by themselves over a sub-screen open again with their tabs", async () => {
  const engine = await engineAtRest();
  await setLocale("en_US");
  await Promise.all([loadDialogTexts(), loadAccountTexts()]);
  const page = await openDrawnPage();
  letDialogsOpen(page);
  const { SettingsDialog } = await import("./settings-dialog.tsx");
  const open = (settings: "data" | null) => act(async () => engine.site.setOverlays({ settings }));
  await page.draw(
    <EngineProvider engine={engine}>
      <SettingsDialog sharedLinks="the links" />
    </EngineProvider>,
  );
  await open("data");
  const manage = [...page.document.querySelectorAll("button")].find((b) => b.textContent === "Manage");
  await act(async () => manage?.click());
  expect(page.document.body.textContent).toContain("the links");
  await open(null);
  expect(page.document.body.textContent).toBe("");
  await open("data");
  expect(page.document.body.textContent).toContain("Shared links");
  expect(page.document.body.textContent).not.toContain("the links");
  // Whoever waits for it draws on this page.
  await act(() => engine.ownData());
  await page.close();
});
