// The announcement as it is served: every page asks for it, and nobody is counted, so that the database is asked once a second.
import type { Banner } from "@plumb/protocol/wire/site";
import type { Database } from "../../platform/database/database.ts";
import type { Clock } from "../../ports/clock.ts";
import { findBanner } from "./banner-store.ts";

const KEPT_MS = 1000;
const NONE: Banner = { id: 0, items: [] };

/** Gives what is set, at the oldest as it was a second ago; that of nobody where none is. */
export function createShownBanner(db: Database, clock: Clock): () => Promise<Banner> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let kept: Promise<Banner> = Promise.resolve(NONE);
  return () => {
    const now = clock.now();
    if (now - askedAt >= KEPT_MS || now < askedAt) {
      askedAt = now;
      kept = findBanner(db.kysely).then((banner) => banner ?? NONE);
      // Who asks next asks again.
      kept.catch(() => (askedAt = Number.NEGATIVE_INFINITY));
    }
    return kept;
  };
}
