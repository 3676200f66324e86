// Searching one's history (wire-contract.md §19.5).
import { LIMITS } from "@plumb/protocol/limits";
import { SearchRefusal, searchSessions } from "@plumb/protocol/wire/history";
import type { Deps } from "../../platform/deps.ts";
import { route, type Route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { parseSearchQuery } from "../../platform/words/search-query.ts";
import { RunningSearches } from "./running-searches.ts";
import { searchHistory } from "./search-history.ts";

export function searchRoutes({ db }: Deps): Route[] {
  const searches = new RunningSearches();
  return [
    route(searchSessions, { rate: "api", accountStatus: "any" }, async ({ user }, { q, count, cursor }) => {
      const query = parseSearchQuery(q);
      if (query === null) throw new Refusal(SearchRefusal.EmptyQuery);
      const asked = { userId: user.id, query, count: count ?? LIMITS.searchPageDefault, cursor };
      return searches.run(user.id, (running) => searchHistory(db, { ...asked, running }));
    }),
  ];
}
