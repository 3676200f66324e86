/** An address in the parts markdown-it asks for; it encodes them one by one. */
interface Address {
  protocol: string;
  slashes: string;
  auth: string;
  /** Those of a host without a name, in their brackets. */
  numbers: string;
  hostname: string;
  /** All behind the name of the host. */
  pathname: string;
}

const form = /^([a-z][a-z0-9.+-]*:)?(?:(\/\/)(?:([^/?#]*)@)?(\[[\da-f:.]+\])?([^/?#:]*))?(.*)$/is;

/**
 * Takes the place of the package `mdurl` in the built page (docs/decisions/0020): markdown-it only takes addresses apart
 * to encode their parts and puts them together again, and what a link opens is decided by the browser's own reading of
 * it (safe-link.ts).
 */
export function parse(address: string): Address {
  const parts = form.exec(address.trim()) ?? [];
  const [, protocol = "", slashes = "", auth = "", numbers = "", hostname = "", pathname = ""] = parts;
  return { protocol, slashes, auth, numbers, hostname, pathname };
}

export function format({ protocol, slashes, auth, numbers, hostname, pathname }: Address): string {
  return `${protocol}${slashes}${auth === "" ? "" : `${auth}@`}${numbers}${hostname}${pathname}`;
}

/** The address with every sign that may not stand in one as its percent signs; those it has stay. */
export function encode(part: string): string {
  return part
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/%(?![\dA-Fa-f]{2})|[^\dA-Za-z;/?:@&=+$,\-_.!~*'()#%]/gu, encodeURIComponent);
}

/** The address with percent signs read, but for those in `kept`. What is no text becomes U+FFFD. */
export function decode(part: string, kept: string): string {
  return part.replace(/(?:%[\da-f]{2})+/gi, (signs) => {
    const bytes = Uint8Array.from(signs.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return [...text].map((sign) => (kept.includes(sign) ? encodeURIComponent(sign) : sign)).join("");
  });
}

/** What the package keeps encoded. */
decode.defaultChars = ";/?:@&=+$,#";
