// A text that its writer waits for, looked at before it is stored.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Deps } from "../../platform/deps.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { screenText } from "./screen-text.ts";

const RETRY_AFTER_SECS = 1;

/**
 * Throws `refusal` where the content filter refuses the text, and 42905 where it gives no verdict and MODERATION_FAILURE says
 * block. Without a filter every text passes.
 */
export async function requireAllowedText(
  { config, ports }: Pick<Deps, "config" | "ports">,
  text: string,
  refusal: RefusalCode,
): Promise<void> {
  const filter = ports.contentFilter;
  if (filter === null) return;
  const verdict = await screenText(filter, text, new AbortController().signal);
  if (verdict === "refused") throw new Refusal(refusal);
  if (verdict === "unknown" && config.contentFilter.whenUnknown === "block")
    throw new GlobalRefusal(Global.ServerBusy, { retryAfter: RETRY_AFTER_SECS });
}
