/** Stored milliseconds → the wire's float seconds (wire-contract.md §0 `secs`). */
export function toSeconds(ms: number): number {
  return ms / 1000;
}
