// The installation's settings as the last visit had them: a page that waited for them would move its buttons in.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { Browser } from "../browser.ts";

const STORED_AS = "plumb.clientSettings";

/** What the page looks into without asking whether it is there. */
const LISTS = ["agents", "models"] as const satisfies readonly (keyof ClientSettings)[];
const GROUPS = [
  "brand",
  "flags",
  "ab_tests",
  "sign_in",
  "links",
  "limits",
  "search",
  "thinking",
  "characters",
  "misc",
] as const satisfies readonly (keyof ClientSettings)[];

function isSettings(value: unknown): value is ClientSettings {
  return (
    isRecord(value) &&
    LISTS.every((name) => Array.isArray(value[name])) &&
    GROUPS.every((name) => isRecord(value[name]))
  );
}

/** The settings of the last visit; null where there was none with this version of the page. */
export function readKeptSettings({ storage, appVersion }: Browser): ClientSettings | null {
  const json = parseJson(storage.get(STORED_AS) ?? "");
  if (!json.ok || !Array.isArray(json.value)) return null;
  const [version, settings] = json.value as unknown[];
  return version === appVersion && isSettings(settings) ? settings : null;
}

/** Keeps them for the next visit, but for where the visitor was: they outlive a sign-out. */
export function keepSettings({ storage, appVersion }: Browser, settings: ClientSettings): void {
  const json = JSON.stringify([appVersion, { ...settings, region: null }]);
  if (storage.get(STORED_AS) !== json) storage.set(STORED_AS, json);
}
