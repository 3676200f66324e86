// Marks of sites, as data: images, so that a page of ours asks no other site for anything.
import { LIMITS } from "@plumb/protocol/limits";
import type { GuardedFetch } from "../../platform/http/guarded-fetch.ts";

const ICON_MS = 2000;
/** Sites that are remembered, those without a mark too. */
const REMEMBERED = 500;
const ACCEPT = "image/png,image/x-icon,image/webp,image/gif,image/jpeg";

export class SiteIcons {
  readonly #fetch: GuardedFetch;
  readonly #known = new Map<string, string | null>();

  constructor(fetchOutside: GuardedFetch) {
    this.#fetch = fetchOutside;
  }

  /**
   * The mark of a page's site, at most LIMITS.siteIconBytes long; null where there is none. Throws only the reason of `signal`.
   * @param told where the provider says that it is
   */
  async find(page: string, told: string | null, signal: AbortSignal): Promise<string | null> {
    const { origin } = new URL(page);
    const known = this.#known.get(origin);
    if (known !== undefined) return known;
    const icon =
      (told === null ? null : await this.#load(told, signal)) ??
      (await this.#load(`${origin}/favicon.ico`, signal));
    this.#known.set(origin, icon);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return icon;
  }

  async #load(address: string, signal: AbortSignal): Promise<string | null> {
    try {
      const limits = { bytes: LIMITS.siteIconBytes, longer: "refuse", ms: ICON_MS, accept: ACCEPT } as const;
      const { status, body } = await this.#fetch(address, limits, signal);
      const type = status === 200 ? pictureType(body) : null;
      if (type === null) return null;
      const image = `data:${type};base64,${body.toString("base64")}`;
      return image.length <= LIMITS.siteIconBytes ? image : null;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }
}

/** By what it is, not by what it is called. None that can hold a script or an address. */
function pictureType(bytes: Buffer): string | null {
  const hex = bytes.toString("hex", 0, 12);
  if (hex.startsWith("89504e470d0a1a0a")) return "image/png";
  if (hex.startsWith("00000100")) return "image/x-icon";
  if (hex.startsWith("474946383761") || hex.startsWith("474946383961")) return "image/gif";
  if (hex.startsWith("ffd8ff")) return "image/jpeg";
  return /^52494646.{8}57454250/u.test(hex) ? "image/webp" : null;
}
