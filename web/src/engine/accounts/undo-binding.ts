// What was bound to an account is removed by the link in the message that told its owner (wire-contract.md §19.9).
import { undoBinding as call, UndoBindingRefusal } from "@plumb/protocol/wire/account-security";
import { currentUser } from "@plumb/protocol/wire/accounts";
import type { ApiClient } from "../api-client.ts";
import type { AuthStore } from "./auth-store.ts";
import { formFailure, isRefused, withCode, type FormResult } from "./sign-in-failures.ts";

const FAILURES = new Map([
  [UndoBindingRefusal.LinkInvalid.code, { field: null, text: { key: "undoLinkInvalid" } }],
]);
const fallback = withCode({ key: "undoFailed" }, { key: "undoFailedCode" });

/** `isOver`: this link will never do it. */
export type UndoResult = FormResult & { isOver?: boolean };

/** It ends all sign-ins of the account: if that is the one of this page, its token is refused now and the page signed out. */
export async function undoBinding(
  { api, auth }: { api: ApiClient; auth: AuthStore },
  token: string,
): Promise<UndoResult> {
  const result = await api.call(call, { token });
  if (!result.ok) {
    const isOver = isRefused(result.error, UndoBindingRefusal.LinkInvalid);
    return { ...formFailure(result.error, FAILURES, fallback), isOver };
  }
  if (auth.hasToken()) await api.call(currentUser, {});
  return { ok: true };
}
