// The headings of the session list (requirements 1§2, 1§9). Pure.

export type SessionAge = "today" | "yesterday" | "week" | "month";

/** `heading` is an age, a month as YYYY-MM, or what the user keeps on top. */
export interface SessionGroup<S> {
  heading: "pinned" | SessionAge | `${number}-${string}`;
  sessions: S[];
}

const DAY_MS = 86_400_000;

interface Listed {
  updated_at: number;
  pinned: boolean;
}

/** As they are shown: those that are pinned first, each part newest first. */
function inOrder<S extends Listed>(sessions: readonly S[]): S[] {
  return sessions.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.updated_at - a.updated_at);
}

/**
 * Sorts sessions by update time, newest first, under Today, Yesterday, the last 7 and 30 days and then each month, by
 * the calendar days of this machine; those that are pinned stand above them all. `updated_at` is unix seconds, `now`
 * milliseconds. A time in the future is today.
 */
export function groupSessions<S extends Listed>(sessions: readonly S[], now: number): SessionGroup<S>[] {
  const groups = new Map<SessionGroup<S>["heading"], S[]>();
  for (const session of inOrder(sessions)) {
    const heading = session.pinned ? "pinned" : headingOf(session.updated_at * 1000, now);
    const group = groups.get(heading);
    if (group) group.push(session);
    else groups.set(heading, [session]);
  }
  return [...groups].map(([heading, members]) => ({ heading, sessions: members }));
}

/** The session above or below one in the list, the first for one that is not in it; null past an end. */
export function neighbourOf<S extends Listed & { id: string }>(
  sessions: readonly S[],
  id: string | null,
  step: 1 | -1,
): S | null {
  const shown = inOrder(sessions);
  const at = shown.findIndex((session) => session.id === id);
  return shown[at === -1 ? 0 : at + step] ?? null;
}

function headingOf(time: number, now: number): SessionGroup<unknown>["heading"] {
  const days = dayNumber(now) - dayNumber(time);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return "week";
  if (days < 30) return "month";
  const date = new Date(time);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`;
}

/** Days since the epoch by the local calendar; through UTC, since days with a clock change are not 24 hours long. */
function dayNumber(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
}
