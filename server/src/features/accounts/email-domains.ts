// The setting EMAIL_DOMAINS: whose addresses may sign up.
import type { Config } from "../../config.ts";

/** `email` is valid and in lower case. A domain does not stand for those below it. */
export function mayRegister({ emailDomains }: Pick<Config, "emailDomains">, email: string): boolean {
  return emailDomains.length === 0 || emailDomains.includes(email.slice(email.lastIndexOf("@") + 1));
}
