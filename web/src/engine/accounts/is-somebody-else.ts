import type { AuthStore } from "./auth-store.ts";

/** Whether another account than the one of this token is signed in by now: another tab can do that while a call is on its way. */
export function isSomebodyElse(auth: Pick<AuthStore, "token">, token: string | null): boolean {
  const now = auth.token();
  return now !== null && now !== token;
}
