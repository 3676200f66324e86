// Where visitors are asked whether they may be counted (requirements 0§9).
import type { ClientSettings } from "@plumb/protocol/wire/site";

export function asksForCookies(settings: ClientSettings | null): boolean {
  const region = settings?.region ?? null;
  return region !== null && settings?.cookie_banner.regions.includes(region) === true;
}
