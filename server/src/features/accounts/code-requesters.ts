// Who asks for a code, and who uses one (wire-contract.md §7, "Codes"). A browser is known by a cookie of the flow, so that it
// may change its network on the way; a client without cookies is known by its network.
import { createHmac, randomBytes } from "node:crypto";
import type { Config } from "../../config.ts";
import type { Database } from "../../platform/database/database.ts";
import { readOwnCookie, usesHttps, writeOwnCookie } from "../../platform/http/own-cookie.ts";
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import { networkOf, siteOf } from "../../platform/network-of.ts";
import type { Clock } from "../../ports/clock.ts";
import { DeviceCookies } from "./device-cookie.ts";
import { findUser, type UserRow } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { codeKeyOf, type CodeRequester } from "./verification-codes.ts";

const COOKIE = "plumb_code";
const SECRET = /^[\w-]{43}$/u;
/** As long as a code may be waited for, asked for again and used. */
const LIFE_SECS = 3600;

type Caller = Pick<RequestContext, "headers" | "secure" | "ip">;

interface Identified {
  requester: CodeRequester;
  /** The account that the code's target belongs to. */
  account: UserRow | undefined;
  /** Response headers by which the browser is known again. */
  headers: Record<string, string>;
}

/** Whom a code is sent to. */
export type CodeTarget = { email: string } | { mobile: string };

export const targetOf = ({ channel, target }: CodeKey): CodeTarget =>
  channel === "email" ? { email: target } : { mobile: target };

export class CodeRequesters {
  #codeKey: Buffer;
  #publicUrl: string | null;
  #db: Database;
  #devices: DeviceCookies;

  constructor(deps: {
    config: Pick<Config, "publicUrl">;
    db: Database;
    secretKey: string;
    ports: { clock: Clock };
  }) {
    this.#codeKey = codeKeyOf(deps.secretKey);
    this.#publicUrl = deps.config.publicUrl;
    this.#db = deps.db;
    this.#devices = new DeviceCookies(deps);
  }

  /** The caller as a requester of codes for `target`. The same work whether the target has an account or not. */
  async identify(caller: Caller, target: CodeTarget): Promise<Identified> {
    const account = await findUser(this.#db.kysely, target);
    const standIn = { id: Object.values(target).join(""), password_hash: null };
    const secure = usesHttps(this.#publicUrl, caller);
    const sent = readOwnCookie(firstOf(caller.headers["cookie"]), COOKIE, secure);
    const secret = sent !== null && SECRET.test(sent) ? sent : randomBytes(32).toString("base64url");
    const cookie = { name: COOKIE, value: secret, maxAgeSecs: LIFE_SECS };
    return {
      requester: {
        browser: this.#hash("browser", secret),
        network: this.#hash("network", networkOf(caller.ip)),
        site: this.#hash("network", siteOf(caller.ip) ?? caller.ip),
        device: this.#devices.find(caller, account ?? standIn),
      },
      account,
      headers: { "set-cookie": writeOwnCookie(cookie, secure) },
    };
  }

  #hash(kind: "browser" | "network", text: string): string {
    return createHmac("sha256", this.#codeKey)
      .update(JSON.stringify(["requester", kind, text]))
      .digest("base64url");
  }
}
