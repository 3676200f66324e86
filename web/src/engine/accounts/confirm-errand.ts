// For what a sign-in elsewhere, begun by somebody who is signed in already, is to confirm who they are. It leads the whole tab away
// and comes back to /authorized as any sign-in does, so the tab remembers it.
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";
import { KEPT_ERRAND } from "../sessions/kept-under.ts";

/** The calls that need a confirmed identity. */
const CONFIRMED_ACTS = ["bind_mobile", "unregister", "unbind"] as const;
export type ConfirmedAct = (typeof CONFIRMED_ACTS)[number];

export type ConfirmErrand = ReturnType<typeof createConfirmErrand>;

export function createConfirmErrand({ tabStorage }: Pick<Browser, "tabStorage">) {
  const kept = tabStorage.get(KEPT_ERRAND);
  const store = createStore<{ act: ConfirmedAct | null }>(() => ({
    act: CONFIRMED_ACTS.find((act) => act === kept) ?? null,
  }));
  return {
    store,
    /** What the sign-in that comes back is for; null = to sign in, as always. */
    remember(act: ConfirmedAct | null): void {
      if (act === null) tabStorage.remove(KEPT_ERRAND);
      else tabStorage.set(KEPT_ERRAND, act);
      store.setState({ act });
    },
  };
}
