import type { ClientSettings } from "@plumb/protocol/wire/site";
import { act } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Router } from "wouter";
import type { Engine } from "../engine/engine.ts";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../hooks/use-engine.tsx";
import { loadFormTexts } from "../i18n/form-texts.ts";
import { setLocale } from "../i18n/i18n.ts";
import { openDrawnPage } from "../markdown/testing/drawn-page.ts";
import { codeFormsPart } from "./form-parts.ts";
import { SignInScreen } from "./sign-in-screen.tsx";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await loadFormTexts();
});

afterEach(() => vi.unstubAllGlobals());

/** What the server says of signing in comes. */
function offer(smsBlocked: boolean, more: object = {}): void {
  const settings = {
    brand: { name: "Plumb" },
    links: { en_US: {} },
    sign_in: {
      methods: ["sms_code", "mobile_password"],
      sign_up: ["mobile"],
      sms_blocked: smsBlocked,
      ...more,
    },
  };
  engine.site.settings.setState({
    settings: settings as unknown as ClientSettings,
    isKept: false,
    failed: false,
  });
}

const screen = () => (
  <Router ssrPath="/sign_in">
    <EngineProvider engine={engine}>
      <SignInScreen />
    </EngineProvider>
  </Router>
);

/** The screen for someone who signed in by a code the last time. */
function draw(smsBlocked: boolean, more: object = {}): string {
  offer(smsBlocked, more);
  engine.site.setPreferences({ loginMethod: "code" });
  return renderToStaticMarkup(screen());
}
const tab = (drawn: string, value: "code" | "password"): string =>
  new RegExp(`<input[^>]*value="${value}"[^>]*>`, "u").exec(drawn)?.[0] ?? "none";

test("where codes by SMS are blocked their tab is seen but cannot be chosen, and the password is asked for [AUTH-016]", () => {
  const open = draw(false);
  expect(tab(open, "code")).toContain("checked");
  expect(tab(open, "code")).not.toContain("disabled");
  expect(open).not.toContain('type="password"');

  const blocked = draw(true);
  expect(tab(blocked, "code")).toContain("disabled");
  expect(tab(blocked, "code")).not.toContain("checked");
  expect(tab(blocked, "password")).toContain("checked");
  expect(tab(blocked, "password")).not.toContain("disabled");
  expect(blocked).toContain('type="password"');
});

test("a Google button that a flag forces stands under both forms [AUTH-020]", async () => {
  await codeFormsPart.preload();
  const forced = { google_forced: true };
  for (const smsBlocked of [false, true]) {
    expect(draw(smsBlocked, forced)).toContain("Continue with Google");
    expect(draw(smsBlocked)).not.toContain("Continue with Google");
  }
});

test("what was typed before it was known that codes are offered stays, and the form with it", async () => {
  const page = await openDrawnPage();
  vi.stubGlobal("location", { pathname: "/sign_in", search: "" });
  for (const name of ["addEventListener", "removeEventListener"]) vi.stubGlobal(name, () => {});
  const field = () => page.document.querySelector('input[type="password"]');
  /** Whether the form that is there at first is there still. */
  const stays = async (isTyped: boolean): Promise<boolean> => {
    engine.site.settings.setState({ settings: null, isKept: false, failed: false });
    await page.draw(screen());
    const first = field();
    expect(first).not.toBeNull();
    if (isTyped) await act(async () => first?.dispatchEvent(new page.Event("input", { bubbles: true })));
    await act(async () => offer(false));
    const isThere = field() === first;
    await page.draw(null);
    return isThere;
  };
  expect(await stays(false)).toBe(false);
  expect(await stays(true)).toBe(true);
  await page.close();
});
