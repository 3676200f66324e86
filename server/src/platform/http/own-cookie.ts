// The product's own cookies: one rule for their names and attributes (wire-contract.md §6.4, §8.1, §8.7).

/** A cookie that scripts cannot read and that only requests of this site carry. */
export interface OwnCookie {
  /** Without prefix: `__Host-` is added on https. */
  name: string;
  /** Characters that a cookie may hold as they are: letters, digits and `.~_-`. */
  value: string;
  maxAgeSecs: number;
}

/** `secure`: people use this site by https. A plain-http page may not set a cookie with `__Host-` or Secure. */
function nameOf(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** The value of Set-Cookie. */
export function writeOwnCookie({ name, value, maxAgeSecs }: OwnCookie, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeSecs}; HttpOnly; SameSite=Lax`;
  return `${nameOf(name, secure)}=${value}; ${attributes}${secure ? "; Secure" : ""}`;
}

/** The first value of the cookie in a Cookie header; null when it is absent. */
export function readOwnCookie(header: string | null, name: string, secure: boolean): string | null {
  const wanted = nameOf(name, secure);
  for (const pair of header?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === wanted) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** Whether people use this site by https: by PUBLIC_URL, or by the request where that is unset. */
export function usesHttps(publicUrl: string | null, { secure }: { secure: boolean }): boolean {
  return publicUrl === null ? secure : publicUrl.startsWith("https:");
}
