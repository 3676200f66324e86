import type { SignInEntry } from "@plumb/protocol/wire/own-account";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { OwnAccount } from "../../engine/accounts/own-account.ts";
import type { SignInsState } from "../../engine/accounts/own-sign-ins.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { loadAccountTexts } from "../../i18n/account-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { dayAndTimeText } from "../../i18n/moment-text.ts";
import { SignInList } from "./sign-in-list.tsx";

const NOW = 1_790_000_000;
const entry = (id: string, last_used_at: number): SignInEntry => ({
  id,
  current: id === "own",
  client: "Chrome on Linux",
  region: null,
  created_at: NOW - 86_400,
  last_used_at,
});

test("the buttons of browsers of one kind are named apart, with the words that stand on them", async () => {
  const entries = [entry("own", NOW), entry("a", NOW - 60), entry("b", NOW - 3600)];
  const store = createStore<SignInsState>(() => ({ entries, failed: false, ending: [] }));
  const signIns = { store } as unknown as OwnAccount["signIns"];
  const engine = await engineAtRest();
  async function namesIn(locale: "en_US" | "zh_CN"): Promise<(string | undefined)[]> {
    await setLocale(locale);
    await loadAccountTexts();
    const drawn = renderToStaticMarkup(
      <EngineProvider engine={engine}>
        <SignInList signIns={signIns} />
      </EngineProvider>,
    );
    return [...drawn.matchAll(/<button[^>]*aria-label="([^"]+)"/gu)].map(([, name]) => name);
  }
  const [a, b] = [dayAndTimeText(NOW - 60), dayAndTimeText(NOW - 3600)];
  expect(await namesIn("en_US")).toEqual([
    "Log out: Chrome on Linux (This device)",
    `Log out: Chrome on Linux (Last used ${a})`,
    `Log out: Chrome on Linux (Last used ${b})`,
  ]);
  expect(await namesIn("zh_CN")).toEqual([
    "退出登录：Linux 上的 Chrome（本设备）",
    `退出登录：Linux 上的 Chrome（最近使用：${a}）`,
    `退出登录：Linux 上的 Chrome（最近使用：${b}）`,
  ]);
});
