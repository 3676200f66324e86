// Whether somebody is old enough (requirements 0§4, 0§5; setting MIN_AGE). Only year and month of a birth are known.

interface Birthday {
  birth_year: number | null;
  birth_month: number | null;
}

/**
 * True while the age gate is due: there is one (`minAge` in years, null = none), and no birthday is known that is so long
 * ago. Whoever was too young passes in the month in which they come of age.
 */
export function needsBirthday(row: Birthday, minAge: number | null, nowMs: number): boolean {
  if (minAge === null) return false;
  if (row.birth_year === null || row.birth_month === null) return true;
  return yearsSince(row.birth_year, row.birth_month, nowMs) < minAge;
}

/** Whole years since the month; in the month itself the birthday counts as reached. UTC, as everywhere on the server. */
function yearsSince(year: number, month: number, nowMs: number): number {
  const now = new Date(nowMs);
  return now.getUTCFullYear() - year - (now.getUTCMonth() + 1 < month ? 1 : 0);
}

/** Whether somebody can have been born then: from 1900 on, and not in the future. `month` 1 to 12. */
export function isPossibleBirthday(year: number, month: number, firstYear: number, nowMs: number): boolean {
  const now = new Date(nowMs);
  const isMonth = month >= 1 && month <= 12;
  const thisYear = now.getUTCFullYear();
  const isFuture = year > thisYear || (year === thisYear && month > now.getUTCMonth() + 1);
  return isMonth && year >= firstYear && !isFuture;
}
