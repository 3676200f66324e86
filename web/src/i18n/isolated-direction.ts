const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * A text of others as part of a line: marks in it that turn the direction of writing, such as U+202E, end where it ends.
 * Without such marks it is given back as it is.
 */
export function isolated(text: string): string {
  // An isolate of its own, which another one within the text could end.
  return CONTROLS.test(text) ? `\u2068${text.replace(/[\u2066-\u2069]/g, "")}\u2069` : text;
}
