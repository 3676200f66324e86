// What the user can do with all of their data, and with a conversation as a file, loads when it is first asked for.
import type { OwnData, OwnDataDeps } from "./exports/own-data.ts";

export function createOwnDataPart(deps: OwnDataDeps) {
  let here: OwnData | null = null;

  /** The part. Null where its code cannot be had, which was said in a toast. */
  const ownData = (): Promise<OwnData | null> =>
    import("./exports/own-data.ts").then(
      ({ createOwnData }) => (here ??= createOwnData(deps)),
      (error: unknown) => {
        deps.browser.log("the part for one's own data was not loaded", error);
        deps.reactions.toast({ type: "error", text: { key: "networkError" }, dedupeKey: "own-data" });
        return null;
      },
    );

  return {
    ownData,
    start(): void {
      // An export was begun in this browser, and its end not yet taken note of.
      if (!deps.preferences.store.getState().exportedHistoryClosed)
        void ownData().then((data) => data?.exports.watch());
    },
    clear(): void {
      here?.exports.clear();
      here?.imports.clear();
    },
  };
}
