import type { ClientSettings } from "@plumb/protocol/wire/site";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { Router } from "wouter";
import type { Engine } from "../engine/engine.ts";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../hooks/use-engine.tsx";
import { loadFormTexts } from "../i18n/form-texts.ts";
import { setLocale } from "../i18n/i18n.ts";
import { codeFormsPart } from "./form-parts.ts";
import { SignInScreen } from "./sign-in-screen.tsx";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await loadFormTexts();
});

/** The screen for someone who signed in by a code the last time. */
function draw(smsBlocked: boolean, more: object = {}): string {
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
  engine.site.setPreferences({ loginMethod: "code" });
  return renderToStaticMarkup(
    <Router ssrPath="/sign_in">
      <EngineProvider engine={engine}>
        <SignInScreen />
      </EngineProvider>
    </Router>,
  );
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
