import type pg from "pg";

/** Ends a connection whose other side no longer answers: everything that waits on it fails, and its pool drops it. */
export function cutConnection(client: pg.ClientBase): void {
  // The pool's clients are full clients; only their type is narrower.
  (client as pg.Client).connection.stream.destroy();
}
