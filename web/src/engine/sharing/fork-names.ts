// The names under which the server knows the copies of shares that this browser asks for (wire-contract.md §13.5). A name is
// made as somebody continues a share, and kept until the copy is on show: what is sent again, also by the next load of
// the page, asks for the same copy.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";
import { KEPT_FORKS } from "../sessions/kept-under.ts";
import { newClientStreamId } from "../turns/client-stream-id.ts";

/** Those made longest ago are forgotten first: nobody continues so many at a time. */
const MOST_FORKS = 20;

export function createForkNames(browser: Browser) {
  /** By share. Read each time: another tab keeps its names in the same place. */
  function read(): [shareId: string, name: string][] {
    const parsed = parseJson(browser.storage.get(KEPT_FORKS) ?? "");
    if (!parsed.ok || !isRecord(parsed.value)) return [];
    return Object.entries(parsed.value).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
  }

  function write(names: [shareId: string, name: string][]): void {
    if (names.length === 0) browser.storage.remove(KEPT_FORKS);
    else browser.storage.set(KEPT_FORKS, JSON.stringify(Object.fromEntries(names)));
  }

  return {
    /** The name of the copy that is wanted of this share; a new one where none is. */
    nameFor(shareId: string): string {
      const names = read();
      const known = names.find(([id]) => id === shareId)?.[1];
      if (known !== undefined) return known;
      const name = newClientStreamId(browser);
      write([...names, [shareId, name] as [string, string]].slice(-MOST_FORKS));
      return name;
    },
    /** The copy is on show, or there will be none: the next one gets a name of its own. */
    drop: (shareId: string): void => write(read().filter(([id]) => id !== shareId)),
  };
}
