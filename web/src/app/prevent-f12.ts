const WITHOUT_TEXT = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "color", "file"]);

function isTextInput(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !WITHOUT_TEXT.has(target.type);
}

/** Keeps F12 from leaving a text being typed; the operator can allow it (flag preventF12). Gives back the way to stop. */
export function preventF12(isWanted: () => boolean, log: (message: string) => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "F12" || !isTextInput(event.target) || !isWanted()) return;
    event.preventDefault();
    log("F12 was pressed in a text field");
  };
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}
