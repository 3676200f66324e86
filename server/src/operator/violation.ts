/** A stored fact that an invariant forbids. `invariant` is one of I1 … I8 (see check-log.ts and check-tree.ts). */
export interface Violation {
  invariant: string;
  /** The session, reply or message it is about. */
  where: string;
  what: string;
}
