const named = /^&[a-z][a-z0-9]{1,31};$/i;

/**
 * What a named character reference such as `&copy;` stands for, or the same text when no such name exists. Takes the
 * place of the function of the same name in `entities` in the built page, which saves that package's table of names:
 * markdown-it calls it with one whole reference and decodes numeric ones itself (docs/decisions/0007).
 */
export function decodeHTMLStrict(reference: string, read = readByBrowser): string {
  if (!named.test(reference)) return reference;
  const decoded = read(reference);
  // A browser also takes the start of a name for an old one without semicolon: `&copyright;` would be `©right;`.
  return decoded.endsWith(";") && reference !== "&semi;" ? reference : decoded;
}

let reader: HTMLTextAreaElement | null = null;

/** The text a browser shows for `reference`. A text area never on the page holds nothing but text. */
function readByBrowser(reference: string): string {
  reader ??= document.createElement("textarea");
  reader.innerHTML = reference;
  return reader.textContent;
}
