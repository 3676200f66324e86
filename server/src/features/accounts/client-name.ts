// The name of a browser and its system from a User-Agent, for the list of one's own sign-ins (wire-contract.md §19.1). Only
// names of this table come out, never what the header says: it is shown to people and anybody can send anything.

/** A header is looked at so far. */
const LOOKED_AT_CHARS = 1000;

/** The first that is found holds: most browsers also name those that they are like. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/MicroMessenger\//u, "WeChat"],
  [/\bEdgA?(?:iOS)?\//u, "Edge"],
  [/\bOPR\/|\bOPX\/|\bOPT\//u, "Opera"],
  [/SamsungBrowser\//u, "Samsung Internet"],
  [/HuaweiBrowser\//u, "Huawei Browser"],
  [/\b(?:MiuiBrowser|XiaoMi)\//u, "Mi Browser"],
  [/MQQBrowser\/|QQBrowser\//u, "QQ Browser"],
  [/UCBrowser\/|UBrowser\//u, "UC Browser"],
  [/Vivaldi\//u, "Vivaldi"],
  [/YaBrowser\//u, "Yandex Browser"],
  [/Firefox\/|FxiOS\//u, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//u, "Chrome"],
  [/Safari\//u, "Safari"],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/Windows NT/u, "Windows"],
  [/iPhone|iPod/u, "iPhone"],
  [/iPad/u, "iPad"],
  [/HarmonyOS|OpenHarmony/u, "HarmonyOS"],
  [/Android/u, "Android"],
  [/CrOS/u, "ChromeOS"],
  [/Macintosh|Mac OS X/u, "macOS"],
  [/Linux|X11/u, "Linux"],
];

const find = (table: typeof BROWSERS, text: string): string | null =>
  table.find(([mark]) => mark.test(text))?.[1] ?? null;

/** "Chrome on Linux"; the one of the two that is known; "" where neither is. */
export function clientName(userAgent: string): string {
  const text = userAgent.slice(0, LOOKED_AT_CHARS);
  const [browser, system] = [find(BROWSERS, text), find(SYSTEMS, text)];
  return [browser, system].filter((name) => name !== null).join(" on ");
}
