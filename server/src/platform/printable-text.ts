// Text that came from elsewhere, such as an endpoint's name of its model, on its way to a terminal or a page.

/** Controls, line ends, characters that turn the direction of writing or show nothing, and halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const SHOWN_CHARS = 200;

/** The text as one line: what a terminal could act on becomes U+FFFD, and what is over 200 characters is cut. */
export function printable(text: string): string {
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return shown.replace(UNPRINTABLE, "\ufffd");
}

/** JSON whose strings hold no character that a terminal acts on: they are written as \uXXXX. The value stays the same. */
export function printableJson(json: string): string {
  // JSON itself escapes the controls below U+0020. The end of the line stays.
  return json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    character.replace(/[^]/g, escapeUnit),
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
