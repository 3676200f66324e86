// How long a reply has been waited for, as the waiting place says it. Pure.

/** So long the waiting place says nothing (milliseconds). */
const QUIET_MS = 3000;

export interface Wait {
  /** All in milliseconds. */
  askedAt: number;
  mountedAt: number;
  now: number;
  /** No reply is waited for longer: an `askedAt` further away is another clock's. */
  longestMs: number;
}

/** Whole seconds since the question was asked; null while that is not worth saying. */
export function shownWaitSecs({ askedAt, mountedAt, now, longestMs }: Wait): number | null {
  const sinceAsked = mountedAt - askedAt;
  const start = sinceAsked >= 0 && sinceAsked <= longestMs ? askedAt : mountedAt;
  const waited = now - start;
  return waited < QUIET_MS ? null : Math.floor(waited / 1000);
}
