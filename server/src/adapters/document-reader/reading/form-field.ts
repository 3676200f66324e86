// What was chosen in the boxes and lists of a Word form, which no text of the document holds.
import { attribute } from "./xml-parts.ts";

/** Is told of each element; `close` gives what a field shows, where it ends. */
export class FormField {
  #field: "checkBox" | "ddList" | null = null;
  #isChecked = false;
  #entries: string[] = [];
  #chosen = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "checkBox" || name === "ddList") {
      this.#field = name;
      this.#isChecked = false;
      this.#entries = [];
      this.#chosen = 0;
    }
    if (this.#field === null) return;
    const value = attribute(attributes, "val");
    // What was chosen stands behind what is so at first.
    if (name === "default" || name === "checked")
      this.#isChecked = !["0", "false", "off"].includes(value ?? "");
    if (name === "default" || name === "result") this.#chosen = Number(value);
    if (name === "listEntry") this.#entries.push(value ?? "");
  }

  close(name: string): string {
    if (this.#field === null || name !== this.#field) return "";
    this.#field = null;
    if (name === "checkBox") return this.#isChecked ? "☒" : "☐";
    return this.#entries[this.#chosen] ?? "";
  }
}
