// The token of a link that we have sent, which stands behind the `#` of an address: servers do not get to see it there.
declare global {
  interface Window {
    /** What the first script of the page (public/static/first-paint.js) has taken out of the address bar. */
    plumbLinkToken?: string;
  }
}

/** Gives the token of the link that was opened last, and takes it out of the address bar; null where there was none. */
export function takeLinkToken(): string | null {
  const { hash, pathname } = window.location;
  if (hash.length > 1) {
    window.plumbLinkToken = hash.slice(1);
    window.history.replaceState(window.history.state, "", pathname);
  }
  return window.plumbLinkToken ?? null;
}
