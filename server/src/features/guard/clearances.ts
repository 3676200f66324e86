// Clearances: what a browser shows to say that a bot challenge was passed in it (wire-contract.md §6.4). Nothing is stored: the
// cookie is signed, and what one process remembers of it only limits how far one can be passed around.
import { randomBytes } from "node:crypto";
import { clearanceLifeSecs } from "@plumb/protocol/limits";
import type { Config } from "../../config.ts";
import { readOwnCookie, usesHttps, writeOwnCookie } from "../../platform/http/own-cookie.ts";
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { Clock } from "../../ports/clock.ts";
import { readSignedText, signText } from "./signed-text.ts";

const COOKIE = "plumb_clear";
const PURPOSE = "clearance";
/** A person's day leads through some networks: home, work, the train. One clearance in more of them is many browsers'. */
const NETWORKS_MOST = 16;
/** Clearances whose networks are remembered; each was paid for with a captcha. */
const REMEMBERED_MOST = 5000;

type Caller = Pick<RequestContext, "headers" | "secure" | "ip">;

export class Clearances {
  readonly #secretKey: string;
  readonly #publicUrl: string | null;
  readonly #clock: Clock;
  /** Where each clearance was seen, by its id; the oldest first. */
  readonly #networks = new Map<string, Set<string>>();

  constructor(deps: { config: Pick<Config, "publicUrl">; secretKey: string; ports: { clock: Clock } }) {
    this.#secretKey = deps.secretKey;
    this.#publicUrl = deps.config.publicUrl;
    this.#clock = deps.ports.clock;
  }

  /** A new one: its end (Unix seconds), and the headers that put it into the caller's browser. */
  give(caller: Pick<Caller, "secure">): { expireAt: number; headers: Record<string, string> } {
    const expireAt = Math.floor(this.#clock.now() / 1000) + clearanceLifeSecs;
    const value = signText(this.#secretKey, PURPOSE, `${expireAt}.${randomBytes(12).toString("base64url")}`);
    const cookie = { name: COOKIE, value, maxAgeSecs: clearanceLifeSecs };
    return {
      expireAt,
      headers: { "set-cookie": writeOwnCookie(cookie, usesHttps(this.#publicUrl, caller)) },
    };
  }

  /** Whether the caller shows one that is ours, has not ended and is not passed around. */
  holds(caller: Caller): boolean {
    const secure = usesHttps(this.#publicUrl, caller);
    const shown = readOwnCookie(firstOf(caller.headers["cookie"]), COOKIE, secure);
    const text = shown === null ? null : readSignedText(this.#secretKey, PURPOSE, shown);
    if (text === null || Number(text.split(".")[0]) * 1000 <= this.#clock.now()) return false;
    return this.#isAtHome(text, networkOf(caller.ip));
  }

  #isAtHome(id: string, network: string): boolean {
    const seen = this.#networks.get(id) ?? new Set();
    if (seen.has(network)) return true;
    if (seen.size >= NETWORKS_MOST) return false;
    seen.add(network);
    this.#networks.delete(id);
    if (this.#networks.size >= REMEMBERED_MOST) {
      const oldest = this.#networks.keys().next();
      if (!oldest.done) this.#networks.delete(oldest.value);
    }
    this.#networks.set(id, seen);
    return true;
  }
}
