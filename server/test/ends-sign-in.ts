import type { Call } from "@plumb/protocol/wire/call";

/** Whether a call that is carried out ends the token it came with: a test that goes through all calls signs in anew. */
export function endsSignIn({ path }: Pick<Call, "path">): boolean {
  return path.startsWith("/api/v0/users/logout") || path === "/api/v0/users/unregister";
}
