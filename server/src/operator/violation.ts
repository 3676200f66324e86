/** A stored fact that an invariant forbids. `invariant` is one of I1 … I9 (see check-log.ts, check-tree.ts and check-invariants.ts), or `files` (check-files.ts). */
export interface Violation {
  invariant: string;
  /** The session, reply, message, file or object it is about. */
  where: string;
  what: string;
}
