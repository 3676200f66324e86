import type pg from "pg";

/** Ends a connection whose other side no longer speaks: all that waits on it fails, and its pool lets it go. */
export function cutConnection(client: pg.ClientBase): void {
  // The pool's clients are whole clients; only the pool's type says less.
  (client as pg.Client).connection.stream.destroy();
}
