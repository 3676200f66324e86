// Whether the next character of a Markdown text that grows stands inside code. Each piece is looked at once.

/** Of a line so much is looked at to tell whether a fence begins or ends with it. */
const HEAD_CHARS = 100;
const FENCE = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/u;

export class CodePlace {
  private fence: string | null = null;
  /** Length of the run of backticks that is open on this line, 0 for none. */
  private run = 0;
  private head = "";
  private lineLength = 0;
  /** Nothing but white space stands before it on its line. */
  atLineStart = true;

  /** `text` follows; a run of backticks is not cut by its end. */
  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.pushInLine(text.slice(from, end));
      this.endLine();
      from = end + 1;
    }
    this.pushInLine(text.slice(from));
  }

  get inCode(): boolean {
    return this.inCodeBlock || this.run > 0;
  }

  /** Inside code of whole lines. */
  get inCodeBlock(): boolean {
    const indented = this.atLineStart && /^(?: {4}|\t)/u.test(this.head);
    return this.fence !== null || indented;
  }

  private pushInLine(part: string): void {
    this.lineLength += part.length;
    this.head += part.slice(0, HEAD_CHARS - this.head.length);
    this.atLineStart &&= part.trim() === "";
    for (const [{ length }] of part.matchAll(/`+/gu)) {
      if (this.run === 0) this.run = length;
      else if (this.run === length) this.run = 0;
    }
  }

  private endLine(): void {
    const { fence } = this;
    if (fence === null) this.fence = FENCE.exec(this.head)?.[1] ?? null;
    else if (this.lineLength <= HEAD_CHARS) {
      const mark = this.head.trim();
      if (mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length)) this.fence = null;
    }
    this.run = 0;
    this.head = "";
    this.lineLength = 0;
    this.atLineStart = true;
  }
}
