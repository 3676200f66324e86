/** A longer wait is nobody's who waits for an answer, and most likely a mistake. */
const LONGEST_WAIT_SECS = 86_400;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The whole seconds after which a refused call may be made again (RFC 9110 §10.2.3); null where the endpoint does not say
 * them. A date is one of its clock, which it tells in `Date`.
 */
export function retryAfterOf(headers: Headers): number | null {
  const value = String(headers["retry-after"] ?? "").trim();
  const untilDate = (Date.parse(value) - Date.parse(String(headers["date"] ?? ""))) / 1000;
  const secs = Math.ceil(/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : untilDate);
  return secs > 0 && secs <= LONGEST_WAIT_SECS ? secs : null;
}
