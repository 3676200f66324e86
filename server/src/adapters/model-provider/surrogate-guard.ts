/// <reference lib="es2024.string" />
// Keeps pieces of text whole: a model may cut an emoji in two, JSON and our readers must never see a half.

/** Joins halves of surrogate pairs across pieces; a half that stays alone becomes U+FFFD. */
export class SurrogateGuard {
  private half = "";

  /** The text that can be given out now; may be empty. */
  push(text: string): string {
    const whole = this.half === "" ? text : this.half + text;
    this.half = "";
    if (whole.isWellFormed()) return whole;
    const last = whole.charCodeAt(whole.length - 1);
    if (last < 0xd800 || last > 0xdbff) return whole.toWellFormed();
    this.half = whole.slice(-1);
    return whole.slice(0, -1).toWellFormed();
  }

  /** What is left at the end. */
  flush(): string {
    const { half } = this;
    this.half = "";
    return half === "" ? "" : "\ufffd";
  }
}
