// What a key means where a text to be sent is written: the composer (requirements 1§2), an edit box (1§4). Pure.

export interface WritingKey {
  key: string;
  keyCode: number;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  /** Milliseconds since the last composition ended; Infinity when there was none. */
  sinceCompositionMs: number;
  /** What the field holds. */
  text: string;
  /** A device whose Enter key writes a new line. */
  touch: boolean;
}

/** `newline` is one the browser would not write by itself; `native` leaves the key to the browser. */
export type KeyAction = "send" | "newline" | "previous-prompt" | "cancel" | "native";

/** Safari ends the composition just before the Enter that confirmed it. */
const COMPOSITION_GRACE_MS = 10;
/** The code of a key that the input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;

/** Tells what a key press shall do. */
export function keyAction(key: WritingKey): KeyAction {
  const modified = key.shiftKey || key.ctrlKey || key.metaKey || key.altKey;
  if (key.isComposing || key.keyCode === TAKEN_BY_INPUT_METHOD) return "native";
  if (key.key === "Escape") return "cancel";
  if (key.key === "ArrowUp") return key.text === "" && !modified ? "previous-prompt" : "native";
  if (key.key !== "Enter" || key.sinceCompositionMs < COMPOSITION_GRACE_MS) return "native";
  if (key.shiftKey) return "native";
  if (key.ctrlKey || key.altKey) return "newline";
  return key.touch ? "native" : "send";
}
