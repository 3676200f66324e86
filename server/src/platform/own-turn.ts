// Work that many ask for at once and that holds the event loop for a millisecond or so: one piece in each turn of it.

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other caller has. Queries of SQLite that wait for each other would all run
 * in one turn otherwise, and nobody else be served meanwhile.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
