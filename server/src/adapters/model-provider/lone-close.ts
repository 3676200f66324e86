// Finds the closing tag of a thought that was opened by the model's chat template: its thought comes as text, and then a
// </think> without a <think>.
import { CodePlace } from "./code-place.ts";

export const OPEN = "<think>";
export const CLOSE = "</think>";
/** No code between backticks goes on behind it: a backtick that is open stands for itself. */
const BLANK_LINE = /^[^\S\n]*\n[^\S\n]*\n/u;
const LINE_OF_OPEN = /\n[^\S\n]*<think>/u;

/** Text is looked at for code in parts of at least so many characters. */
const LOOK_CHARS = 4096;

export interface LoneCloseSink {
  text(text: string): void;
  /** All text so far was the thought; what follows is the answer. */
  thoughtEnds(): void;
}

/** How much of the end of `text` is white space and the beginning of the tag, 0 where no tag begins there. */
function begunTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length)))
      return text.length - text.slice(0, text.length - length).trimEnd().length;
  }
  return 0;
}

/**
 * A tag is the lone one that ends a thought when it stands outside of code and at the start of a line, without a <think> at the
 * start of a line before it; or right behind a word with a line break after it, or right between a sentence and the
 * answer. All others are words of an answer that speaks of the tag. Only the first one ends a thought, and only once an answer follows.
 */
export class LoneCloseFinder {
  private readonly sink: LoneCloseSink;
  private readonly place = new CodePlace();
  /** Said, and not looked at for code. */
  private unread = "";
  private held = "";
  private last = "";
  private hasSaid = false;
  /** A <think> at the start of a line waits for its closing tag. */
  private isOpen = false;
  private isOver = false;

  /** `before`: the text that is there already and is continued. */
  constructor(sink: LoneCloseSink, before = "") {
    this.sink = sink;
    this.note(before);
  }

  push(text: string): void {
    if (this.isOver) {
      if (text !== "") this.sink.text(text);
      return;
    }
    this.held += text;
    for (let at = this.held.indexOf(CLOSE); at >= 0; at = this.held.indexOf(CLOSE)) {
      const behind = this.held.slice(at + CLOSE.length);
      const answer = behind.trimStart();
      const said = this.held.slice(0, at);
      // What comes next tells; until then the tag waits with the white space before it.
      if (answer === "" && behind.length < LOOK_CHARS) {
        const shown = said.trimEnd();
        this.say(shown);
        this.held = this.held.slice(shown.length);
        return;
      }
      this.look(said);
      if (this.isLone(behind)) {
        this.sayRest(said.trimEnd());
        if (this.hasSaid) this.sink.thoughtEnds();
        this.isOver = true;
        this.held = "";
        if (answer !== "") this.sink.text(answer);
        return;
      }
      this.sayRest(said + CLOSE);
      this.unread += CLOSE;
      this.isOpen &&= this.place.inCode;
      this.held = behind;
    }
    const shown = this.held.slice(0, this.held.length - begunTag(this.held));
    this.held = this.held.slice(shown.length);
    this.say(shown);
  }

  /** Gives out what was held back; at the end of the reply. A tag with nothing behind it ends nothing, and is not shown. */
  flush(): void {
    const { held } = this;
    this.held = "";
    const said = held.trimEnd();
    if (!said.endsWith(CLOSE)) return this.sayRest(held);
    const before = said.slice(0, -CLOSE.length);
    this.look(before);
    this.sayRest(this.isLone("\n") ? before.trimEnd() : held);
  }

  private isLone(behind: string): boolean {
    if (BLANK_LINE.test(behind) ? this.place.inCodeBlock : this.place.inCode) return false;
    if (this.place.atLineStart) return !this.isOpen;
    if (/^[^\S\n]*\n/u.test(behind)) return /[^\s:："'“‘«(<[{]/u.test(this.last);
    return /[.!?…。！？]/u.test(this.last) && /^[^\S\n]*[^\s.,;:!?)\]}"'”’»、。，；：！？）]/u.test(behind);
  }

  /** Shows the text and remembers it. */
  private say(text: string): void {
    this.sayRest(text);
    this.note(text);
  }

  private sayRest(text: string): void {
    if (text === "") return;
    this.hasSaid ||= text.trim() !== "";
    this.sink.text(text);
  }

  private note(text: string): void {
    if (text === "") return;
    this.hasSaid ||= text.trim() !== "";
    this.unread += text;
    if (this.unread.length < LOOK_CHARS) return;
    const end = endOfLook(this.unread);
    this.read(this.unread.slice(0, end), this.unread.slice(end));
  }

  /** Looks at all that stands before a tag. */
  private look(before: string): void {
    this.read(this.unread + before, "");
  }

  private read(text: string, rest: string): void {
    this.unread = rest;
    if (text === "") return;
    this.last = text.at(-1) ?? "";
    this.isOpen ||= text.includes(OPEN) && beginsLine(text, this.place.atLineStart);
    this.place.push(text);
  }
}

/** Whole lines; of a line without an end all that cuts no run of backticks, unless there is nothing else. */
function endOfLook(text: string): number {
  const lines = text.lastIndexOf("\n") + 1;
  if (lines > 0) return lines;
  let end = text.length;
  while (end > 0 && text[end - 1] === "`") end -= 1;
  return end === 0 ? text.length : end;
}

/** Whether a line of `text` begins with a <think>. */
function beginsLine(text: string, atLineStart: boolean): boolean {
  return (atLineStart && text.trimStart().startsWith(OPEN)) || LINE_OF_OPEN.test(text);
}
