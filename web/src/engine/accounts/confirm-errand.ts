// For what a sign-in elsewhere, begun by somebody who is signed in already, is to confirm who they are. It leads the whole tab away
// and comes back to /authorized as any sign-in does, so the tab remembers it.
import type { Browser } from "../browser.ts";
import { KEPT_ERRAND } from "../sessions/kept-under.ts";

/** The calls that need a confirmed identity. */
export type ConfirmedAct = "bind_mobile" | "set_birthday" | "unregister" | "unbind";

/** Null: what comes back signs in, as always. */
export function rememberErrand({ tabStorage }: Pick<Browser, "tabStorage">, act: ConfirmedAct | null): void {
  if (act === null) tabStorage.remove(KEPT_ERRAND);
  else tabStorage.set(KEPT_ERRAND, act);
}

export function rememberedErrand({ tabStorage }: Pick<Browser, "tabStorage">): ConfirmedAct | null {
  return tabStorage.get(KEPT_ERRAND) as ConfirmedAct | null;
}
