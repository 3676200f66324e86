// What the page that runs HTML (wire-contract.md §6.7) says of it. Whatever runs there can send the same, so that nothing of it is
// trusted but its shape, and of everything only so much is kept.

type RunMessage =
  | { kind: "ready" }
  /** The text of an error of a script. */
  | { kind: "error"; text: string }
  /** The address of something outside that was asked for. */
  | { kind: "blocked"; text: string };

export interface RunReport {
  errors: readonly string[];
  /** Hosts from which something was asked for, in vain. */
  blockedHosts: readonly string[];
  /** Messages so far, of whatever shape. */
  messages: number;
}

export const emptyReport: RunReport = { errors: [], blockedHosts: [], messages: 0 };

const errorsKept = 20;
const hostsKept = 5;
const longestText = 300;
/** The page itself sends 21 at most. One that sends without end would fill our own queue. */
const messagesTaken = 200;
/** A single one this big (characters or bytes) is no report, and a few of them in our queue would cost the whole page its memory. */
const bulk = 100_000;

/** Of what was sent so many values are looked at. */
const valuesLooked = 1000;

/** Whether what was sent is out of all measure: its size, how much is in it, or that its size is not known, as of a picture. */
function isBulky(data: unknown): boolean {
  const left: unknown[] = [data];
  let size = 0;
  for (let looked = 0; left.length > 0; looked++) {
    const value = left.pop();
    if (looked >= valuesLooked || typeof value === "bigint") return true;
    if (typeof value === "string") size += value.length;
    else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) size += value.byteLength;
    else if (typeof value === "object" && value !== null) {
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== Array.prototype) return true;
      const keys = Object.keys(value);
      if ((Array.isArray(value) ? value.length : keys.length) > valuesLooked) return true;
      left.push(...(Array.isArray(value) ? [] : keys), ...Object.values(value));
    }
    if (size > bulk) return true;
  }
  return false;
}

/** A message by its shape; null for anything else. */
export function readRunMessage(data: unknown): RunMessage | null {
  if (typeof data !== "object" || data === null || !("kind" in data)) return null;
  const { kind } = data;
  if (kind === "ready") return { kind };
  if (kind !== "error" && kind !== "blocked") return null;
  if (!("text" in data) || typeof data.text !== "string" || data.text.length > longestText) return null;
  return { kind, text: data.text };
}

/** The report with one more message from the page. */
export function addToReport(report: RunReport, data: unknown): RunReport {
  const counted = { ...report, messages: report.messages + (isBulky(data) ? messagesTaken + 1 : 1) };
  const message = readRunMessage(data);
  if (message?.kind === "error") {
    if (report.errors.length >= errorsKept || report.errors.includes(message.text)) return counted;
    return { ...counted, errors: [...report.errors, message.text] };
  }
  if (message?.kind === "blocked" && URL.canParse(message.text)) {
    const { host } = new URL(message.text);
    if (host === "" || report.blockedHosts.length >= hostsKept || report.blockedHosts.includes(host))
      return counted;
    return { ...counted, blockedHosts: [...report.blockedHosts, host] };
  }
  return counted;
}

/** Whether the page sends so much, or something so big, that it is taken away. */
export function isFlooding(report: RunReport): boolean {
  return report.messages > messagesTaken;
}
