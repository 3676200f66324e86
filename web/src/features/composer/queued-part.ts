import { loadQueue } from "../../engine/load-queue.ts";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";

/** The queued message above the composer, with its texts. */
export const queuedPart = lazyPart(async () => {
  const [{ QueuedMessage }] = await Promise.all([
    import("./queued-message.tsx"),
    loadDialogTexts(),
    loadQueue(),
  ]);
  return QueuedMessage;
});
