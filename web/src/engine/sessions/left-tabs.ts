// Tabs of this browser that are closed: what they had typed is for whoever stays.
import type { Browser, Cancel } from "../browser.ts";
import type { TabChannelOfNews } from "../site/tab-news.ts";

/** A tab that only loads again says so within this time (milliseconds), and has its text again itself. */
const GONE_AFTER_MS = 3000;

/** Calls `take` when another tab was left and none has come since. */
export function followLeftTabs(
  browser: Pick<Browser, "after">,
  tabs: Pick<TabChannelOfNews, "listen">,
  take: () => void,
): Cancel {
  let cancelTake: Cancel = () => {};
  const stopListening = tabs.listen(({ about }) => {
    if (about !== "left" && about !== "hello") return;
    cancelTake();
    if (about === "left") cancelTake = browser.after(GONE_AFTER_MS, take);
  });
  return () => {
    stopListening();
    cancelTake();
  };
}
