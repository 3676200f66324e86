// Which requests of a page the worker answers, and how. All others go their way as if it were not there. Pure.
import { SHARE_TARGET_PATH } from "@plumb/protocol/wire/share-target";
import { matchRoute } from "../app/paths.ts";

/**
 * asset: a file named by what is in it, from the cache first. file: one whose name stays, from the server first. page: the
 * page itself, from the server first. share: what another app shares. other: what else somebody opens, from the server alone; where
 * that is away a page of ours says so. pass: not ours.
 */
export type Strategy = "asset" | "file" | "page" | "share" | "other" | "pass";

/** What a request tells of itself. */
export interface Asked {
  method: string;
  url: string;
  /** `request.mode` and `request.destination`. */
  mode: string;
  destination: string;
  hasRange: boolean;
}

const ASSETS = "/static/assets/";
/** What programs ask for and what signs in, also where a person opens it: what the server answers, or does not, is to be seen. */
const ROUTES = /^\/(?:api|oauth|healthz|readyz|metrics)(?:\/|$)/;

export interface StrategyRules {
  origin: string;
  /** Paths of what the page needs besides its assets. */
  files: readonly string[];
}

/** Calls, event streams, uploads, downloads, raw files, sandboxed frames and ranges are never the worker's. */
export function chooseStrategy(asked: Asked, { origin, files }: StrategyRules): Strategy {
  const { origin: from, pathname: path } = new URL(asked.url);
  if (from !== origin || asked.hasRange) return "pass";
  // Of frames `destination` is another: what runs in them is not the page.
  const opensPage = asked.mode === "navigate" && asked.destination === "document";
  if (path === SHARE_TARGET_PATH) return opensPage && asked.method === "POST" ? "share" : "pass";
  if (asked.method !== "GET") return "pass";
  if (path.startsWith(ASSETS)) return "asset";
  if (files.includes(path)) return "file";
  if (!opensPage || ROUTES.test(path)) return "pass";
  return isPageOfApp(path) ? "page" : "other";
}

/** The server writes into the pages of shares itself. */
function isPageOfApp(path: string): boolean {
  return matchRoute(path) !== null && !path.startsWith("/share/");
}
