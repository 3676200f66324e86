// What an operator does with the index of what people have said (wire-contract.md §19.5).
import { reindexSession } from "../features/sessions/reindex-history.ts";
import { countLiveSessions, pageOfLiveSessions } from "../features/sessions/session-store.ts";
import { systemClock } from "../ports/clock.ts";
import type { Operation } from "./account-commands.ts";

const SESSIONS_PER_READ = 100;
/** How often it says how far it is (ms). */
const SAID_MS = 10_000;

/**
 * Indexes anew what stands there as an older version found it. What is right already stays, so that it may be interrupted at any
 * time: begun once more, it writes what is left.
 */
export async function reindexSearch({ db, out }: Operation): Promise<void> {
  const total = await countLiveSessions(db.kysely);
  const done = { sessions: 0, texts: 0, renewed: 0 };
  let said = systemClock.monotonic();
  for (let after = ""; ;) {
    const sessions = await pageOfLiveSessions(db.kysely, after, SESSIONS_PER_READ);
    for (const session of sessions) {
      const { texts, renewed } = await reindexSession(db, systemClock, session);
      done.sessions += 1;
      done.texts += texts;
      done.renewed += renewed;
      if (systemClock.monotonic() - said < SAID_MS) continue;
      said = systemClock.monotonic();
      out(
        `${done.sessions} of ${total} chats are looked through, ${done.renewed} texts indexed anew so far.`,
      );
    }
    const last = sessions.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  out(`${done.texts} texts of ${done.sessions} chats looked through, ${done.renewed} of them indexed anew.`);
}
