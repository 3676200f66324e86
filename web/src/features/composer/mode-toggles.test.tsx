import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { ok } from "../../engine/testing/fake-answers.ts";
import { createFakeServer } from "../../engine/testing/fake-server.ts";
import { openPage } from "../../engine/testing/open-page.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { setLocale } from "../../i18n/i18n.ts";
import { ModeToggles } from "./mode-toggles.tsx";

beforeAll(() => setLocale("en_US"));

const settings = { thinking: { available: true }, search: { available: false }, agents: [], limits: {} };

/** The text on the toggle. */
async function draw(used: number, on: boolean, compact = false, hasFiles = false): Promise<string> {
  const server = createFakeServer();
  const quota = { quota: 50, used, reset_at: 1_790_006_400 };
  server.answer("/api/v0/client/settings", () => ok({ ...settings, flags: {}, ab_tests: {} }));
  server.answer("/api/v0/users/feature_quota", () => ok({ thinking: quota }));
  const page = await openPage(server);
  page.engine.site.setPreferences({ thinkingEnabled: on });
  const drawn = renderToStaticMarkup(
    <EngineProvider engine={page.engine}>
      <ModeToggles agentId="chat" compact={compact} hasFiles={hasFiles} />
    </EngineProvider>,
  );
  page.close();
  return drawn
    .replace(/<[^>]*>/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

test("what is left of deep thinking stands on the toggle while it is on, on a phone too [ENG-027]", async () => {
  expect(await draw(3, true)).toBe("DeepThink 47");
  expect(await draw(3, true, true)).toBe("DeepThink 47");
  expect(await draw(60, true)).toBe("DeepThink 0");
  expect(await draw(3, false)).toBe("DeepThink");
});
