// Where a sign-in came from, as its owner is told it later (wire-contract.md §19.1). The address itself is not kept.
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import { clientName } from "./client-name.ts";

export interface SignInOrigin {
  /** "Chrome on Linux"; "" = unknown. */
  client: string;
  /** ISO 3166-1 alpha-2; null = unknown. */
  region: string | null;
}

/** `regionOf` tells where an address is. */
export function signInOrigin(
  { headers, ip }: Pick<RequestContext, "headers" | "ip">,
  regionOf: (ip: string) => string | null,
): SignInOrigin {
  return { client: clientName(firstOf(headers["user-agent"]) ?? ""), region: regionOf(ip) };
}
