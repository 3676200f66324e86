// Reads and writes the cookie of known-device.ts, under the name that fits the site's scheme.
import type { KeyObject } from "node:crypto";
import type { Config } from "../../config.ts";
import { readOwnCookie, usesHttps, writeOwnCookie } from "../../platform/http/own-cookie.ts";
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  addKnownDevice,
  DEVICE_COOKIE,
  DEVICE_LIFE_SECS,
  deviceKeyOf,
  findKnownDevice,
} from "./known-device.ts";

type Caller = Pick<RequestContext, "headers" | "secure">;

export class DeviceCookies {
  #key: KeyObject;
  #publicUrl: string | null;
  #clock: Clock;

  constructor(deps: { config: Pick<Config, "publicUrl">; secretKey: string; ports: { clock: Clock } }) {
    this.#key = deviceKeyOf(deps.secretKey);
    this.#publicUrl = deps.config.publicUrl;
    this.#clock = deps.ports.clock;
  }

  /** The account's name for the caller's browser; null when the account was never signed in to from there. */
  find(caller: Caller, userId: string): string | null {
    return findKnownDevice(this.#key, this.#valueOf(caller), userId, this.#clock.now());
  }

  /** Response headers of a successful sign-in: they make the caller's browser known to the account. */
  headersFor(caller: Caller, userId: string): Record<string, string> {
    const value = addKnownDevice(this.#key, this.#valueOf(caller), userId, this.#clock.now());
    const cookie = { name: DEVICE_COOKIE, value, maxAgeSecs: DEVICE_LIFE_SECS };
    return { "set-cookie": writeOwnCookie(cookie, usesHttps(this.#publicUrl, caller)) };
  }

  #valueOf(caller: Caller): string | null {
    return readOwnCookie(
      firstOf(caller.headers["cookie"]),
      DEVICE_COOKIE,
      usesHttps(this.#publicUrl, caller),
    );
  }
}
