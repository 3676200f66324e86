// What the user can do with all of their data, and with a conversation as a file, loads when it is first asked for.
import type { OwnData, OwnDataDeps } from "./exports/own-data.ts";
import { sayMissing } from "./say-missing.ts";

export function createOwnDataPart(deps: OwnDataDeps) {
  let here: OwnData | null = null;

  /** The part. Null where its code cannot be had, which was said in a toast, but for whoever `says` it otherwise. */
  const ownData = ({ says = true } = {}): Promise<OwnData | null> =>
    import("./exports/own-data.ts").then(
      ({ createOwnData }) => (here ??= createOwnData(deps)),
      (error: unknown) => {
        sayMissing(deps, "one's own data", error, says);
        return null;
      },
    );

  return {
    ownData,
    start(): void {
      // An export was begun in this browser, and its end not yet taken note of.
      if (!deps.preferences.store.getState().exportedHistoryClosed)
        void ownData().then((data) => data?.exports.look());
    },
    clear(): void {
      here?.exports.clear();
      here?.imports.clear();
    },
  };
}
