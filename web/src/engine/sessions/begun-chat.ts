// The new chat that came to light on this page last. A load of the page that was asked for before, and takes its time on a
// slow line, opens where the page no longer was: at the home of the new chat, with nothing of its question left there.
import type { Browser } from "../browser.ts";
import { agentOfNewChat } from "./client-session.ts";

const STORED_AS = "plumb.begun";
/** A reload that shows later (milliseconds) is another visit. */
const BEFORE_LOAD_MS = 10_000;

/** What stood under the key of a new chat has this path from now on. */
export function noteBegun(
  { tabStorage, now }: Pick<Browser, "tabStorage" | "now">,
  key: string,
  path: string,
): void {
  tabStorage.set(STORED_AS, `${now()} ${key} ${path}`);
}

/** Of the page before this one. */
export function createBegunChat({
  tabStorage,
  now,
  isReload,
}: Pick<Browser, "tabStorage" | "now" | "isReload">) {
  const [at, begunAs, path] = (tabStorage.get(STORED_AS) ?? "").split(" ");
  const isRecent = Math.abs(now() - Number(at)) < BEFORE_LOAD_MS;
  let left = path !== undefined && isRecent && isReload() ? path : null;

  /** Where the chat is that the page before began under this key, when this page opens with that; null otherwise. */
  function placeOf(key: string): string | null {
    const place = key === begunAs ? left : null;
    left = null;
    // Another new chat begins by the hand of the user: a load of that page stays there.
    if (agentOfNewChat(key) !== null) tabStorage.remove(STORED_AS);
    return place;
  }

  return { placeOf, clear: (): void => tabStorage.remove(STORED_AS) };
}
