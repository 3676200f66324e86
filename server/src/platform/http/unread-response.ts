// Every response is given up when its reader takes nothing (wire-contract.md §1.9).
import type { ServerResponse } from "node:http";

/**
 * Cuts the connection when the reader takes nothing of what waits for it for `stalledMs`. One that takes little by
 * little is not cut, however slow. The system looks once in that time, so that up to twice as much can pass.
 */
export function cutWhenUnread(response: ServerResponse, stalledMs: number): void {
  // Node puts it off with every write that begins, and while any part of one is still being taken.
  response.setTimeout(stalledMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}
