// The end of the account, by its owner (requirements 0§4, 0§8; wire-contract.md §9, §18.4).
import { unregister, UnregisterRefusal } from "@plumb/protocol/wire/own-account";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";

const FAILURES: ReadonlyMap<number, Text> = new Map<number, Text>([
  [UnregisterRefusal.NotFound.code, { key: "deleteAccountFailed" }],
  [UnregisterRefusal.TooFrequent.code, { key: "deleteAccountTooFrequent" }],
  [UnregisterRefusal.UserIsBanned.code, { key: "accountSuspended" }],
]);
/** The server answers within seconds, however much there is; a slow one gets longer than other calls. */
const TIMEOUT_MS = 60_000;

/**
 * Deletes the account. After that nothing of it stays on this page or in this browser, and the sign-in page shows. False =
 * it is still there, which was said.
 */
export async function deleteAccount({
  api,
  reactions,
  leave,
}: Pick<OwnAccountDeps, "api" | "reactions" | "leave">): Promise<boolean> {
  const result = await api.call(unregister, {}, { timeoutMs: TIMEOUT_MS });
  if (result.ok) {
    leave("signed-out");
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
