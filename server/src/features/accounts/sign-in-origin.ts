// Where a sign-in came from, as its owner is told it later (wire-contract.md §19.1). The address itself is not kept.
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import { regionOf } from "../guard/region-of.ts";
import { clientName } from "./client-name.ts";

export interface SignInOrigin {
  /** "Chrome on Linux"; "" = unknown. */
  client: string;
  /** ISO 3166-1 alpha-2; null = unknown. */
  region: string | null;
}

export function signInOrigin(
  deps: Parameters<typeof regionOf>[0],
  context: Pick<RequestContext, "headers" | "ip">,
): SignInOrigin {
  const client = clientName(firstOf(context.headers["user-agent"]) ?? "");
  return { client, region: regionOf(deps, context) };
}
