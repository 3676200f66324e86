import type { ClientSettings } from "@plumb/protocol/wire/site";

/** Where somebody at a desk is led who wants the app for their phone; null where there is none. */
export function appForPhones(settings: Pick<ClientSettings, "app_download"> | null): string | null {
  const { page, ios, android } = settings?.app_download ?? {};
  return page ?? ios ?? android ?? null;
}
