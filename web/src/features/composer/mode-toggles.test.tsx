import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import type { Preferences } from "../../engine/site/preferences.ts";
import { ok } from "../../engine/testing/fake-answers.ts";
import { createFakeServer } from "../../engine/testing/fake-server.ts";
import { openPage } from "../../engine/testing/open-page.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import en from "../../i18n/en_US.json";
import { setLocale } from "../../i18n/i18n.ts";
import { ModeToggles } from "./mode-toggles.tsx";

beforeAll(() => setLocale("en_US"));

const settings = { thinking: { available: true }, agents: [], limits: {} };

interface Drawn {
  used?: number;
  preferences: Partial<Preferences>;
  compact?: boolean;
  hasFiles?: boolean;
  search?: boolean;
}

async function drawMarkup(drawn: Drawn): Promise<string> {
  const { used = 0, preferences, compact = false, hasFiles = false, search = false } = drawn;
  const server = createFakeServer();
  const quota = { quota: 50, used, reset_at: 1_790_006_400 };
  const offered = { ...settings, search: { available: search } };
  server.answer("/api/v0/client/settings", () => ok({ ...offered, flags: {}, ab_tests: {} }));
  server.answer("/api/v0/users/feature_quota", () => ok({ thinking: quota }));
  const page = await openPage(server);
  page.engine.site.setPreferences(preferences);
  const markup = renderToStaticMarkup(
    <EngineProvider engine={page.engine}>
      <ModeToggles agentId="chat" compact={compact} hasFiles={hasFiles} />
    </EngineProvider>,
  );
  page.close();
  return markup;
}

/** The text on the toggle. */
async function draw(used: number, on: boolean, compact = false, hasFiles = false): Promise<string> {
  const markup = await drawMarkup({ used, preferences: { thinkingEnabled: on }, compact, hasFiles });
  return markup
    .replace(/<[^>]*>/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

/** The opening tag of the last toggle, which is search. */
async function searchTag(drawn: Omit<Drawn, "search">): Promise<string> {
  return (await drawMarkup({ ...drawn, search: true })).match(/<button[^>]*>/gu)?.at(-1) ?? "";
}

test("what is left of deep thinking stands on the toggle while it is on, on a phone too [ENG-027]", async () => {
  expect(await draw(3, true)).toBe("DeepThink 47");
  expect(await draw(3, true, true)).toBe("DeepThink 47");
  expect(await draw(60, true)).toBe("DeepThink 0");
  expect(await draw(3, false)).toBe("DeepThink");
});

test("search is disabled, and off, while files are attached [SRCH-004]", async () => {
  const preferences = { searchEnabled: true };
  const free = await searchTag({ preferences });
  expect(free).not.toContain("aria-disabled");
  expect(free).toContain('aria-pressed="true"');
  const blocked = await searchTag({ preferences, hasFiles: true });
  expect(blocked).toContain('aria-disabled="true"');
  expect(blocked).toContain('aria-pressed="false"');
  expect(blocked).toContain(`aria-description="${en.searchOffWithFiles}"`);
  expect(blocked).not.toContain('disabled=""');
});

test("a toggle tells that it turns the other one off", async () => {
  const tips = async (preferences: Partial<Preferences>): Promise<boolean[]> => {
    const tags = (await drawMarkup({ preferences, search: true })).match(/<button[^>]*>/gu) ?? [];
    return tags.map((tag) => tag.includes("(turns "));
  };
  expect(await tips({})).toEqual([false, false]);
  expect(await tips({ thinkingEnabled: true })).toEqual([false, true]);
  expect(await tips({ searchEnabled: true })).toEqual([true, false]);
  expect(await searchTag({ preferences: { thinkingEnabled: true } })).toContain(
    `${en["composer.searchTip"]} (turns ${en["composer.thinking"]} off)`,
  );
});
