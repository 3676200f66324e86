// Base64 of UTF-8 text as header values carry it, lenient when reading (wire-contract.md §1.7).

/** Standard alphabet, padded. */
export function encodeBase64Text(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Either alphabet, padded or not; null for anything that is not base64 of UTF-8. */
export function decodeBase64Text(base64: string): string | null {
  const standard = base64.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*$/.test(standard) || standard.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(standard), (char) => char.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
