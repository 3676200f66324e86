// The setting PHONE_REGIONS: from where one may sign up or in by a code to one's phone.
import type { Config } from "../../config.ts";

/** `region` null = unknown, which only "*" includes. */
export function mayUsePhone({ phoneRegions }: Pick<Config, "phoneRegions">, region: string | null): boolean {
  return phoneRegions === "*" || (region !== null && phoneRegions.includes(region));
}
