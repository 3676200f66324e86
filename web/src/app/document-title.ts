import { isolated } from "../i18n/isolated-direction.ts";

/** '{session title} - {brand}', or the default chat title when there is no session title (requirements 0§2). */
export function documentTitle(sessionTitle: string | null, brand: string, defaultTitle: string): string {
  return sessionTitle === null || sessionTitle === "" ? defaultTitle : `${isolated(sessionTitle)} - ${brand}`;
}
