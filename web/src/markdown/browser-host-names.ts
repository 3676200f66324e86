const ascii = /^[\x20-\x7E]*$/;

/**
 * Takes the place of the package `punycode.js` in the built page (docs/decisions/0020): host names are encoded by the
 * browser, which encodes them anyway when the link is followed. A name in ASCII stays as it is written, also in an
 * address that is its own text: `xn--` says more than the letters that imitate another name.
 */
const hostNames = {
  /** @throws TypeError for what is no host name; markdown-it then leaves it. */
  toASCII: (host: string): string => (ascii.test(host) ? host : new URL(`http://${host}`).hostname),
  toUnicode: (host: string): string => host,
};

// The package's own way to export.
export default hostNames;
