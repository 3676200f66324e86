/** A stored fact that an invariant forbids. `invariant` is one of I1 … I8 (see check-log.ts and check-tree.ts), or `files` (check-files.ts). */
export interface Violation {
  invariant: string;
  /** The session, reply, message, file or object it is about. */
  where: string;
  what: string;
}
