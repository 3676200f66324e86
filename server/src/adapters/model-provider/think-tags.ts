// Splits a thought given in <think>…</think> at the start of an answer from the answer; tags may be cut anywhere. Where the
// opening tag is missing, because the model's chat template has it, the closing one tells what the thought was.
import { CLOSE, LoneCloseFinder, OPEN } from "./lone-close.ts";

/** Receives the parts in order; never an empty text, but with `text_was_thought`: all text before it was the thought. */
export type TextSink = (type: "reasoning" | "text" | "text_was_thought", text: string) => void;

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
 * "text" goes on with an answer, which is `before` where no thought is known of it. A tag later in the answer is the
 * answer's own text.
 */
export class ThinkTagSplitter {
  private state: "start" | "thinking" | "gap" | "text";
  private held = "";
  /** White space right after the opening tag is not part of the thought. */
  private atThoughtStart = false;
  private readonly sink: TextSink;
  /** Looks for the end of a thought without a beginning; null once it is known that there is none. */
  private lone: LoneCloseFinder | null = null;

  constructor(startIn: "auto" | "thinking" | "text", sink: TextSink, before?: string) {
    this.state = startIn === "auto" ? "start" : startIn;
    this.sink = sink;
    if (startIn === "auto" || before !== undefined)
      this.lone = new LoneCloseFinder(
        { text: (text) => sink("text", text), thoughtEnds: () => sink("text_was_thought", "") },
        before,
      );
  }

  push(text: string): void {
    if (this.state === "text") {
      this.say(text);
      return;
    }
    this.held += text;
    if (this.state === "start") this.atStart();
    if (this.state === "thinking") this.inThought();
    if (this.state === "gap") this.afterThought();
  }

  /** The endpoint gives thoughts in a field of their own: content is the answer from now on. */
  useFields(): void {
    if (this.state === "text" && this.lone === null) return;
    this.flush();
    this.lone = null;
    this.state = "text";
  }

  /** Gives out what was held back; at the end of the reply. */
  flush(): void {
    const { held } = this;
    this.held = "";
    if (this.state === "gap") return;
    if (this.state !== "thinking") {
      this.say(held);
      this.lone?.flush();
    } else if (held !== "") this.sink("reasoning", held);
  }

  private say(text: string): void {
    if (text === "") return;
    if (this.lone === null) this.sink("text", text);
    else this.lone.push(text);
  }

  private atStart(): void {
    const begun = this.held.trimStart();
    if (begun.startsWith(OPEN)) {
      this.held = begun.slice(OPEN.length);
      this.atThoughtStart = true;
      this.lone = null;
      this.state = "thinking";
    } else if (!OPEN.startsWith(begun)) {
      this.state = "text";
      this.say(this.held);
      this.held = "";
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
