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
import type { UserRow } from "./user-store.ts";

type Caller = Pick<RequestContext, "headers" | "secure">;
export type KnownAccount = Pick<UserRow, "id" | "password_hash">;

/**
 * The account under its present password: with a new one all browsers are strangers to it. Whoever knew the old one could else
 * have made many known, and would have failures of their own for each.
 */
const nameOf = ({ id, password_hash }: KnownAccount): string => JSON.stringify([id, password_hash]);

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
  find(caller: Caller, account: KnownAccount): string | null {
    return findKnownDevice(this.#key, this.#valueOf(caller), nameOf(account), this.#clock.now());
  }

  /** Response headers of a successful sign-in: they make the caller's browser known to the account. */
  headersFor(caller: Caller, account: KnownAccount): Record<string, string> {
    const value = addKnownDevice(this.#key, this.#valueOf(caller), nameOf(account), this.#clock.now());
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
