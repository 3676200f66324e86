// Text that others sent, such as an endpoint's name of its model, made safe for a terminal or a page.

/** Control characters, line ends, invisible and direction-changing characters, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const SHOWN_CHARS = 200;

/** The text as one line of at most 200 characters; characters that a terminal could act on become U+FFFD. */
export function printable(text: string): string {
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return shown.replace(UNPRINTABLE, "\ufffd");
}

/** The same JSON value with every character that a terminal could act on written as \uXXXX. */
export function printableJson(json: string): string {
  // JSON itself escapes the control characters below U+0020; the line end after the value stays.
  return json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    character.replace(/[^]/g, escapeUnit),
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
