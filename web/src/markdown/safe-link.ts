/** A link that may be followed. */
export interface SafeLink {
  href: string;
  /** Host, with its port, as shown to the reader. */
  host: string;
}

const scheme = /^([a-z][a-z0-9+.-]*):/i;
const hostAndPort = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+):\d{1,5}(?:[/?#]|$)/i;

/**
 * Endings of files: those that no host has, and the two of hosts that in an answer are nearly always files (README.md,
 * main.py). Other endings that are of both stay those of hosts (docs.rs, bun.sh).
 */
const fileName =
  /^[^/]*\.(?:md|py|[jt]sx?|[cm][jt]s|json|ya?ml|toml|xml|csv|txt|log|html?|s?css|go|java|kt|rb|php|sql|c|h|[ch]pp|ipynb|lock|env|cfg|ini|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp)(?:[?#]|$)/i;

/**
 * Whether a target without a scheme is most likely a file (`README.md`, `docs/setup.md`) and no host: its first part has
 * no dot, or all of it is the name of one.
 */
export function namesFile(target: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|[?#]|www\.|localhost(?:[/?#]|$))/i.test(target)) return false;
  return !/^[^/?#]*[^/?#.]\.[^/?#.]/.test(target) || fileName.test(target);
}

/**
 * Only http and https are links; a target without a scheme gets https (requirements 1§5). Null for everything else: other
 * schemes, control characters and spaces, paths, names of files and fragments, which have no host.
 */
export function safeLink(target: string): SafeLink | null {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (target === "" || /[\u0000-\u0020\u007f-\u009f\u2028\u2029\\]/.test(target)) return null;
  const named = hostAndPort.test(target) ? null : scheme.exec(target)?.[1]?.toLowerCase();
  if (named != null && named !== "http" && named !== "https") return null;
  if (named == null && (/^(?:\/(?!\/)|[?#.])/.test(target) || namesFile(target))) return null;
  const whole = named != null ? target : target.startsWith("//") ? `https:${target}` : `https://${target}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return null;
  return { href: url.href, host: url.host };
}
