import type { User } from "@plumb/protocol/wire/accounts";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { loadAccountTexts } from "../../i18n/account-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { AccountTab } from "./account-tab.tsx";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await loadAccountTexts();
});

const profile = { id: "p-1", name: "Ada", picture: null, locale: null, email: null };

function draw(edition: ClientSettings["edition"], provider: "GOOGLE" | "WECHAT" | null = null): string {
  const settings = { edition, sign_in: { methods: [] }, misc: { free_tokens_offer: 0 } };
  engine.site.settings.setState({
    settings: settings as unknown as ClientSettings,
    isKept: false,
    failed: false,
  });
  const user = {
    id: "user-1",
    email: "ab*****z@x.com",
    mobile_number: "138****5678",
    id_profiles: [],
    id_profile: provider && { ...profile, provider },
    chat: { is_muted: 0, mute_until: null },
  };
  engine.accounts.auth.setState({ status: "yes", user: user as unknown as User, reason: "none" });
  return renderToStaticMarkup(
    <EngineProvider engine={engine}>
      <AccountTab hasLeftSignIns={false} onSignIns={() => {}} />
    </EngineProvider>,
  );
}

test("the account has a row for its email, but not in the mainland edition [AUTH-004]", () => {
  expect(draw("international")).toContain(">Email<");
  expect(draw("mainland")).not.toContain(">Email<");
  for (const edition of ["international", "mainland"] as const) {
    expect(draw(edition)).toContain(">Phone<");
    expect(draw(edition)).toContain("138****5678");
  }
});

test("the account's name stands there, with the mark of Google or WeChat where it comes from there [ACCT-015]", () => {
  const marks = (html: string) =>
    [...html.matchAll(/role="img" aria-label="([^"]*)"/gu)].map(([, label]) => label);
  const [google, wechat, own] = [
    draw("international", "GOOGLE"),
    draw("mainland", "WECHAT"),
    draw("international"),
  ];
  expect([marks(google), marks(wechat), marks(own)]).toEqual([
    ["Signed in with Google"],
    ["Signed in with WeChat"],
    [],
  ]);
  expect([google, wechat].map((html) => html.includes(">Ada<"))).toEqual([true, true]);
  expect(own).toContain(">ab*****z@x.com<");
});
