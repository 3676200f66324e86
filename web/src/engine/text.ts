// Visible texts as the engine names them: keys and values, no words. `i18n/` makes the words.

/** A time of which the screen makes words (unix seconds). */
export interface Moment {
  moment: number;
}

/** A time to wait (seconds), likewise. */
export interface Wait {
  wait: number;
}

/** A visible text: a key of the locale files with its params, or text the server made. */
export type Text =
  { key: string; params?: Record<string, string | number | Moment | Wait> } | { content: string };
