// The ways into the account: what is bound to it, and how its owner can confirm who they are (wire-contract.md §19.9).
import {
  accountSecurity,
  unbind,
  UnbindRefusal,
  type Binding,
  type ConfirmationWay,
} from "@plumb/protocol/wire/account-security";
import type { RemovableKind } from "@plumb/protocol/wire/bindings";
import { createStore } from "zustand/vanilla";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";
import { identityNotConfirmed, type ConfirmIdentity } from "./confirm-identity.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";
import { isRefused } from "./sign-in-failures.ts";

export interface AccountWaysState {
  /** Null until they are here. */
  bindings: readonly Binding[] | null;
  /** By which the owner can confirm who they are; null until they are here. */
  confirmations: readonly ConfirmationWay[] | null;
  failed: boolean;
}

const UNKNOWN: AccountWaysState = { bindings: null, confirmations: null, failed: false };

function failure(error: ApiError): Text {
  if (isRefused(error, UnbindRefusal.NotBound)) return { key: "notBound" };
  if (isRefused(error, UnbindRefusal.LastWayIn)) return { key: "lastWayIn" };
  if (isRefused(error, UnbindRefusal.IdentityNotConfirmed)) return identityNotConfirmed;
  return errorText(error) ?? { key: "unbindFailed" };
}

export function createAccountWays(
  { api, auth, reactions }: Pick<OwnAccountDeps, "api" | "auth" | "reactions">,
  { confirmed }: Pick<ConfirmIdentity, "confirmed">,
) {
  const store = createStore<AccountWaysState>(() => UNKNOWN);
  let account = new AbortController();

  async function load(): Promise<void> {
    const { signal } = account;
    store.setState({ failed: false });
    const result = await api.call(accountSecurity, {}, { signal });
    if (signal.aborted) return;
    store.setState(
      result.ok ? { bindings: result.data.bindings, confirmations: result.data.ways } : { failed: true },
    );
  }

  /** Removes a way in. False = it is still there, which was said. */
  async function remove(kind: RemovableKind): Promise<boolean> {
    const { signal } = account;
    const result = await confirmed("unbind", () => api.call(unbind, { kind }, { signal }));
    if (signal.aborted) return true;
    if (result.ok) auth.changed(result.data.user);
    else reactions.toast({ type: "error", text: failure(result.error), dedupeKey: "unbind" });
    // What may be removed now depends on what is left.
    await load();
    return result.ok || isRefused(result.error, UnbindRefusal.NotBound);
  }

  function clear(): void {
    account.abort();
    account = new AbortController();
    store.setState(UNKNOWN);
  }

  return { store, load, remove, clear };
}
