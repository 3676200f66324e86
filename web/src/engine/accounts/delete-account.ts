// The end of the account, by its owner (requirements 0§4, 0§8; wire-contract.md §9, §18.4).
import { unregister, UnregisterRefusal } from "@plumb/protocol/wire/own-account";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";
import { identityNotConfirmed, type ConfirmIdentity } from "./confirm-identity.ts";
import { isSomebodyElse } from "./is-somebody-else.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";
import { isRefused } from "./sign-in-failures.ts";

const FAILURES: ReadonlyMap<number, Text> = new Map<number, Text>([
  [UnregisterRefusal.NotFound.code, { key: "deleteAccountFailed" }],
  [UnregisterRefusal.TooFrequent.code, { key: "deleteAccountTooFrequent" }],
  [UnregisterRefusal.UserIsBanned.code, { key: "accountSuspended" }],
  [UnregisterRefusal.IdentityNotConfirmed.code, identityNotConfirmed],
]);
/** The server answers within seconds, however much there is; a slow one gets longer than other calls. */
const TIMEOUT_MS = 60_000;

/**
 * Deletes the account. After that nothing of it stays on this page or in this browser, and the sign-in page shows. False =
 * it is still there, which was said; one that was banned meanwhile leaves for the page that says so.
 */
export async function deleteAccount(
  { api, auth, reactions, leave }: Pick<OwnAccountDeps, "api" | "auth" | "reactions" | "leave">,
  { confirmed }: Pick<ConfirmIdentity, "confirmed">,
): Promise<boolean> {
  const token = auth.token();
  const result = await confirmed("unregister", () => api.call(unregister, {}, { timeoutMs: TIMEOUT_MS }));
  const isOver = result.ok || isRefused(result.error, UnregisterRefusal.UserIsBanned);
  if (isOver && !isSomebodyElse(auth, token)) leave(result.ok ? "signed-out" : "banned");
  if (result.ok) {
    reactions.toast({ type: "success", text: { key: "accountDeleted" } });
    return true;
  }
  reactions.toast({ type: "error", text: failure(result.error), dedupeKey: "delete-account" });
  return false;
}

function failure(error: ApiError): Text {
  if (error.kind !== "refused") return { key: "deleteAccountFailed" };
  if (error.scope === "global") return errorText(error) ?? { key: "deleteAccountFailed" };
  return FAILURES.get(error.code) ?? { key: "deleteAccountFailedCode", params: { code: error.code } };
}
