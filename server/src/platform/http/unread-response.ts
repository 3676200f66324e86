// Every response is given up when its reader takes nothing (wire-contract.md §1.9).
import type { ServerResponse } from "node:http";

/**
 * Times `stalledMs` after which a write that has not been taken at all is looked at again. Whole writes are counted here, of up
 * to some 200 KB: the time is so long that a slow reader takes one.
 */
const PATIENCE = 4;

/**
 * Cuts the connection when the reader takes nothing of what waits for it for `stalledMs`. One that takes little by
 * little is not cut, however slow. The system looks once in that time, so that up to twice as much can pass.
 *
 * What a reader sends puts the system's look off, so that a byte now and then would keep a response for ever. Such a
 * reader is cut when no write has been taken whole between two looks, `PATIENCE * stalledMs` apart.
 */
export function cutWhenUnread(response: ServerResponse, stalledMs: number): void {
  // Node puts it off with every write that begins, and while any part of one is still being taken.
  response.setTimeout(stalledMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
  let before = -1;
  const look = setInterval(() => {
    const taken = bytesTaken(response);
    if (taken !== -1 && taken === before) response.destroy();
    before = taken;
  }, PATIENCE * stalledMs);
  look.unref();
  response.once("close", () => clearInterval(look));
}

/** What was written on the connection and is no longer waiting; -1 while nothing waits, or another response is before it. */
function bytesTaken({ socket, writableLength }: ServerResponse): number {
  return socket === null || writableLength === 0 ? -1 : socket.bytesWritten - socket.writableLength;
}
