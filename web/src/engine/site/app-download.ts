import type { ClientSettings } from "@plumb/protocol/wire/site";

/**
 * Where the app for phones is to be had from this device: in the App Store on Apple's, else on the operator's page. Null where
 * the operator offers none there, or it is not known yet (requirements 0§2, wire-contract.md §6.1).
 */
export function appDownloadLink(
  settings: Pick<ClientSettings, "app_download"> | null,
  isApple: boolean,
): string | null {
  if (settings === null) return null;
  const { ios, android, page } = settings.app_download;
  return isApple ? (ios ?? page) : (page ?? android);
}
