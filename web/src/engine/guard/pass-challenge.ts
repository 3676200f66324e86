// The flow of a bot challenge: what is asked is shown over the whole page, and what it gives is changed for a clearance
// (wire-contract.md §6.4). Loads with the first challenge.
import { clearance } from "@plumb/protocol/wire/clearance";
import { clientSettings } from "@plumb/protocol/wire/site";
import type { StoreApi } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { SettingsState } from "../site/settings-store.ts";
import type { TabChannelOfNews } from "../site/tab-news.ts";
import type { Text } from "../text.ts";
import type { CaptchaFace } from "./captcha-face.ts";

export interface ChallengeDeps {
  browser: Browser;
  api: Pick<ApiClient, "call">;
  /** What the overlay shows, and answers. */
  challenge: Pick<CaptchaFace, "pass">;
  settings: StoreApi<SettingsState>;
  /** Tells the person. */
  onFailed(text: Text): void;
  tabs: Pick<TabChannelOfNews, "tell">;
}

const CLEARANCE_FAILED: Text = { key: "clearanceFailed" };

/** Whether this browser is let through now; where it is not, the person was told. */
export async function passChallenge(deps: ChallengeDeps): Promise<boolean> {
  const { api, browser, challenge, tabs } = deps;
  if (!(await knowsChallenge(deps))) return fail(deps, CLEARANCE_FAILED);
  const asked = await challenge.pass();
  if (!asked.ok) return fail(deps, asked.text);
  // Another tab of this browser has passed it.
  if (Object.keys(asked.fields).length === 0) return true;
  const result = await api.call(clearance, asked.fields, { duringChallenge: true });
  if (!result.ok) {
    browser.log("no clearance was given", result.error);
    return fail(deps, CLEARANCE_FAILED);
  }
  tabs.tell({ about: "cleared" });
  return true;
}

/** Settings from before the challenge do not say what to show: then they are asked for again. */
async function knowsChallenge({ api, settings }: ChallengeDeps): Promise<boolean> {
  const { settings: known, isKept } = settings.getState();
  if (known !== null && !isKept && known.captcha.challenge !== null) return true;
  const fresh = await api.call(clientSettings, {}, { duringChallenge: true });
  if (!fresh.ok || fresh.data.captcha.challenge === null) return false;
  settings.setState({ settings: fresh.data, isKept: false, failed: false });
  return true;
}

function fail({ onFailed }: Pick<ChallengeDeps, "onFailed">, text: Text): false {
  onFailed(text);
  return false;
}
