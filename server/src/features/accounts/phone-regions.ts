// The settings PHONE_REGIONS and MAINLAND_EMAIL_SIGN_UP: from where one may sign up or in by a code to one's phone, and from
// where one must.
import type { Config } from "../../config.ts";

/** `region` null = unknown, which only "*" includes. */
export function mayUsePhone({ phoneRegions }: Pick<Config, "phoneRegions">, region: string | null): boolean {
  return phoneRegions === "*" || (region !== null && phoneRegions.includes(region));
}

/** Whether one signs up by phone alone: in the mainland's edition, and from the mainland where the operator says so. */
export function mustUsePhone(
  { edition, mainlandEmailSignUp }: Pick<Config, "edition" | "mainlandEmailSignUp">,
  region: string | null,
): boolean {
  return edition === "mainland" || (!mainlandEmailSignUp && region === "CN");
}
