import type { Share } from "@plumb/protocol/wire/sharing";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { setLocale } from "../../i18n/i18n.ts";
import { loadSharingTexts } from "../../i18n/sharing-texts.ts";
import { LinkRow } from "./link-row.tsx";

const share = {
  share_id: "abcdefghij01234567",
  created_at: 1_790_000_000,
  chat_session_id: "s1",
  hint: "Walls",
};

/** The words that the row shows. */
function words(more: Partial<Share>): string {
  const row = <LinkRow share={{ ...share, ...more } as Share} title="Walls" onDelete={() => {}} />;
  const markup = renderToStaticMarkup(<EngineProvider engine={{} as Engine}>{row}</EngineProvider>);
  return markup.replace(/<[^>]*>/g, "|");
}

test.each([
  ["en_US", 1, "1 question"],
  ["en_US", 3, "3 questions"],
  ["zh_CN", 3, "3 组问答"],
] as const)(
  "links of one chat are told apart by how much is shared: %s, %i",
  async (locale, questions, text) => {
    await setLocale(locale);
    await loadSharingTexts();
    expect(words({ questions })).toContain(`|${text}|`);
    // As a server of before says it.
    expect(words({})).not.toMatch(/question|问答/);
  },
);

test.each([
  ["en_US", "Disabled by whoever runs this server"],
  ["zh_CN", "已被管理员停用"],
] as const)("a link that the operator has disabled says so, and no other: %s", async (locale, text) => {
  await setLocale(locale);
  await loadSharingTexts();
  expect(words({ disabled: true })).toContain(`|${text}|`);
  expect(words({ disabled: false })).not.toContain(text);
  // As a server of before says it.
  expect(words({})).not.toContain(text);
});
