import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { Router } from "wouter";
import { decideRoute } from "../app/route-rules.ts";
import type { Engine } from "../engine/engine.ts";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../hooks/use-engine.tsx";
import { loadCodeTexts } from "../i18n/code-texts.ts";
import { loadFormTexts } from "../i18n/form-texts.ts";
import { setLocale } from "../i18n/i18n.ts";
import { MobileVerificationScreen } from "./mobile-verification-screen.tsx";

const PATH = "/mobile_verification";

let engine: Engine;
beforeAll(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await Promise.all([loadFormTexts(), loadCodeTexts()]);
});

const draw = (search: string): string =>
  renderToStaticMarkup(
    <Router ssrPath={PATH} ssrSearch={search}>
      <EngineProvider engine={engine}>
        <MobileVerificationScreen />
      </EngineProvider>
    </Router>,
  );

test("the phone of a WeChat sign-in is asked for with a signature alone, and of logged-out users only [SHELL-013]", () => {
  for (const search of ["", "?signature=", "?other=abc"]) {
    expect(draw(search)).toContain("Invalid URL detected, please rescan the QR code for authorization.");
    expect(draw(search)).not.toContain('name="mobile"');
  }
  expect(draw("?signature=abc")).toContain('name="mobile"');
  const visit = (status: "no" | "yes") =>
    decideRoute({
      path: PATH,
      search: "?signature=abc",
      status,
      reason: "none",
      guestWelcome: false,
      targetBeforeOauth: "chat",
    });
  expect(visit("no")).toEqual({ kind: "show", route: { screen: "mobile-verification" } });
  expect(visit("yes")).toEqual({ kind: "redirect", to: "/" });
});
