// The token of a link that we have sent, which stands behind the `#` of an address: servers do not get to see it there.
let token: string | null = null;

/** Takes it out of the address bar, where others could read or copy it. Gives what was taken last; null where there was none. */
export function takeLinkToken(): string | null {
  const { hash, pathname, search } = window.location;
  if (hash.length > 1) {
    token = hash.slice(1);
    window.history.replaceState(window.history.state, "", pathname + search);
  }
  return token;
}
