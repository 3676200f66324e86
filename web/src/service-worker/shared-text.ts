// What another app has shared, as a text to write on. Pure.

/** Of more than that nobody makes a message (UTF-16 units). */
const MOST_CHARS = 1_000_000;

/** The parts of what was shared that say something new, a line each; "" where there is nothing. */
export function sharedText(field: (name: string) => unknown): string {
  const parts = ["title", "text", "url"].map((name) => {
    const value = field(name);
    return typeof value === "string" ? value.trim() : "";
  });
  const said = parts.filter(
    (part, index) =>
      part !== "" &&
      !parts.some((other, at) => at !== index && (other === part ? at < index : other.includes(part))),
  );
  return said.join("\n").slice(0, MOST_CHARS);
}
