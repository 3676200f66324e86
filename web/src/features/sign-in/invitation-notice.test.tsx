import type { ClientSettings } from "@plumb/protocol/wire/site";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { loadCodeTexts } from "../../i18n/code-texts.ts";
import { loadFormTexts } from "../../i18n/form-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { InvitationNotice } from "./invitation-notice.tsx";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await Promise.all([loadCodeTexts(), loadFormTexts()]);
});

function draw(registration: "open" | "invitation" | "closed", isRefused: boolean): string {
  engine.site.settings.setState({
    settings: {
      sign_in: { registration, registration_open: registration === "open" },
    } as unknown as ClientSettings,
    isKept: false,
    failed: false,
  });
  return renderToStaticMarkup(
    <EngineProvider engine={engine}>
      <InvitationNotice isRefused={isRefused} asksCode={false} onLeftOut={() => {}} />
    </EngineProvider>,
  );
}

const WELCOME = "You were invited: no code is needed.";

test.each([
  ["open", "Sign up without the invitation"],
  ["invitation", "New accounts are by invitation; ask whoever runs this server."],
  ["closed", "Sign up is closed on this server."],
] as const)(
  "with sign-up %s an invitation that was refused gives way to what is left",
  (registration, left) => {
    expect(draw(registration, false)).toContain(WELCOME);
    expect(draw(registration, false)).not.toContain(left);
    expect(draw(registration, true)).toContain(left);
    expect(draw(registration, true)).not.toContain(WELCOME);
  },
);
