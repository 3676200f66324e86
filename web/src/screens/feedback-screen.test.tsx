import type { ClientSettings } from "@plumb/protocol/wire/site";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../engine/engine.ts";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../hooks/use-engine.tsx";
import { loadFormTexts } from "../i18n/form-texts.ts";
import { setLocale } from "../i18n/i18n.ts";
import { FeedbackScreen } from "./feedback-screen.tsx";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await loadFormTexts();
});
afterEach(() => vi.unstubAllGlobals());

function draw(bridge: string | null, host: object, contact: string | null = "us@x.org"): string {
  vi.stubGlobal("window", host);
  const settings = {
    brand: { name: "Plumb" },
    links: { en_US: { contact_email: contact } },
    misc: { native_bridge: bridge },
  };
  engine.site.settings.setState({
    settings: settings as unknown as ClientSettings,
    isKept: false,
    failed: false,
  });
  return renderToStaticMarkup(
    <EngineProvider engine={engine}>
      <FeedbackScreen />
    </EngineProvider>,
  );
}

const app = { getUserInfo: () => '{"id":"7","name":"Anna <b>","email":"a@example.org"}' };

test("the feedback page shows whom the app's bridge names, and the mail says it [FDBK-009]", () => {
  const drawn = draw("PlumbApp", { PlumbApp: app });
  expect(drawn).toContain("Writing as Anna &lt;b&gt;");
  expect(drawn).toContain('href="mailto:us@x.org?subject=Feedback&amp;body=%0A%0A(7)"');
  expect(drawn).not.toContain("Service not available");
});

test("the feedback page without the bridge, or with nobody to write to, says 'Service not available' [FDBK-010]", () => {
  for (const drawn of [
    draw(null, { PlumbApp: app }),
    draw("PlumbApp", {}),
    draw("PlumbApp", { PlumbApp: app }, null),
  ]) {
    expect(drawn).toContain("Service not available");
    expect(drawn).not.toContain("mailto:us@x.org?subject");
  }
});
