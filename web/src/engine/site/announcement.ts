// The operator's announcement (wire-contract.md §6.6): asked for, kept for the next opening of the page, closed by its reader.
import { readBanner } from "@plumb/protocol/rules/banner-rules";
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import { type Banner, type BannerItem, STATUS_PATH } from "@plumb/protocol/wire/site";
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";

const STORED_AS = "plumb.banner";
const AGAIN_MS = 3_600_000;

export interface AnnouncementState {
  banner: Banner | null;
  /** Of the last one that was closed: it stays so, and another one shows again. */
  closedBannerId: Banner["id"] | null;
}

/** Who looks at the page, and where it comes from. */
export interface Reader {
  /** Null while that is being found out. */
  isSignedIn: boolean | null;
  deployEnv: string;
  appId: string;
}

/** What of an announcement a reader is to see. What cannot be closed shows although the rest was. */
export function shownItems({ banner, closedBannerId }: AnnouncementState, reader: Reader): BannerItem[] {
  if (banner === null) return [];
  return banner.items.filter(
    (item) => item.show && isFor(item, reader) && !(item.closable && closedBannerId === banner.id),
  );
}

function isFor(item: BannerItem, { isSignedIn, deployEnv, appId }: Reader): boolean {
  const { showCondition: condition, showDeployEnv: stage, showByAppId: apps } = item;
  return (
    (condition === undefined || condition === null || isSignedIn === (condition === "authenticated")) &&
    (stage === undefined || stage === null || stage === deployEnv) &&
    (apps === undefined || apps === null || apps.length === 0 || apps.includes(appId))
  );
}

/** What it says in a language; where it says nothing in that, what it says in another. */
export function contentOf({ content }: BannerItem, locale: string): string {
  return content[locale] ?? content["en_US"] ?? Object.values(content)[0] ?? "";
}

function readKept(json: string | null): AnnouncementState {
  const parsed = parseJson(json ?? "");
  const kept = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  const { closedBannerId: id, cachedBannerOptions: options } = kept;
  return {
    banner: readBanner(options),
    closedBannerId: typeof id === "string" || typeof id === "number" ? id : null,
  };
}

export function createAnnouncement(browser: Browser) {
  const store = createStore<AnnouncementState>(() => readKept(browser.storage.get(STORED_AS)));
  let listening: Cancel[] = [];

  function change(wanted: Partial<AnnouncementState>): void {
    store.setState(wanted);
    const { banner, closedBannerId } = store.getState();
    browser.storage.set(STORED_AS, JSON.stringify({ closedBannerId, cachedBannerOptions: banner }));
  }

  /** What cannot be read counts for nothing; what cannot be had changes nothing. */
  async function load(): Promise<void> {
    let text: string;
    try {
      const answer = await browser.fetch(STATUS_PATH, { method: "GET", headers: {} });
      if (!answer.ok) return;
      text = await answer.text();
    } catch {
      return;
    }
    const parsed = parseJson(text);
    const banner = parsed.ok ? readBanner(parsed.value) : null;
    // What another tab has closed meanwhile is closed here, too.
    const closed = readKept(browser.storage.get(STORED_AS)).closedBannerId;
    if (closed !== null) store.setState({ closedBannerId: closed });
    if (JSON.stringify(banner) !== JSON.stringify(store.getState().banner)) change({ banner });
  }

  return {
    store,
    close: (): void => change({ closedBannerId: store.getState().banner?.id ?? null }),
    start(): void {
      void load();
      listening = [browser.every(AGAIN_MS, () => void load()), browser.onVisible(() => void load())];
    },
    stop(): void {
      for (const cancel of listening) cancel();
      listening = [];
    },
  };
}
