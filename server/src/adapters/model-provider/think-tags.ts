// Splits a thought given in <think>…</think> at the start of an answer from the answer; tags may be cut anywhere.

const OPEN = "<think>";
const CLOSE = "</think>";

/** Receives the parts in order; never an empty text. */
export type TextSink = (type: "reasoning" | "text", text: string) => void;

/** How many characters at the end of `text` could be white space before, and the beginning of, the closing tag. */
function tailOfClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length >= 0; length -= 1) {
    if (length > 0 && !CLOSE.startsWith(text.slice(-length))) continue;
    return text.length - text.slice(0, text.length - length).trimEnd().length;
  }
  return 0;
}

/**
 * `startIn`: "auto" looks for an opening tag first, "thinking" is inside a thought already (it is being continued),
 * "text" looks for nothing. A tag later in the answer is the answer's own text.
 */
export class ThinkTagSplitter {
  private state: "start" | "thinking" | "gap" | "text";
  private held = "";
  /** White space right after the opening tag is not part of the thought. */
  private atThoughtStart = false;
  private readonly sink: TextSink;

  constructor(startIn: "auto" | "thinking" | "text", sink: TextSink) {
    this.state = startIn === "auto" ? "start" : startIn;
    this.sink = sink;
  }

  push(text: string): void {
    if (this.state === "text") {
      if (text !== "") this.sink("text", text);
      return;
    }
    this.held += text;
    if (this.state === "start") this.atStart();
    if (this.state === "thinking") this.inThought();
    if (this.state === "gap") this.afterThought();
  }

  /** The endpoint gives thoughts in a field of their own: content is the answer from now on. */
  useFields(): void {
    if (this.state === "text") return;
    this.flush();
    this.state = "text";
  }

  /** Gives out what was held back; at the end of the reply. */
  flush(): void {
    const { held } = this;
    this.held = "";
    if (held === "" || this.state === "gap") return;
    this.sink(this.state === "thinking" ? "reasoning" : "text", held);
  }

  private atStart(): void {
    const begun = this.held.trimStart();
    if (begun.startsWith(OPEN)) {
      this.held = begun.slice(OPEN.length);
      this.atThoughtStart = true;
      this.state = "thinking";
    } else if (!OPEN.startsWith(begun)) {
      this.state = "text";
      this.flush();
    }
  }

  private inThought(): void {
    if (this.atThoughtStart) {
      this.held = this.held.trimStart();
      this.atThoughtStart = this.held === "";
    }
    const end = this.held.indexOf(CLOSE);
    if (end >= 0) {
      const thought = this.held.slice(0, end).trimEnd();
      if (thought !== "") this.sink("reasoning", thought);
      this.held = this.held.slice(end + CLOSE.length);
      this.state = "gap";
      return;
    }
    const keep = tailOfClose(this.held);
    const ready = this.held.slice(0, this.held.length - keep);
    if (ready !== "") this.sink("reasoning", ready);
    this.held = this.held.slice(ready.length);
  }

  private afterThought(): void {
    const answer = this.held.trimStart();
    this.held = "";
    if (answer === "") return;
    this.state = "text";
    this.sink("text", answer);
  }
}
