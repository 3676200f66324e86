// Between a model in the process, which calls back, and the reader of the port, which asks: with the stall limit.
import { ModelError, type ModelChunk } from "../../ports/model-provider.ts";
import { SurrogateGuard } from "./surrogate-guard.ts";
import { ThinkTagSplitter } from "./think-tags.ts";

export class PieceCollector {
  private out: ModelChunk[] = [];
  private over = false;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private timer: NodeJS.Timeout;
  private heard = false;
  private readonly stallMs: number;
  private readonly stop: () => void;
  private readonly dropReasoning: boolean;
  private readonly tags: ThinkTagSplitter;
  private readonly guards = { reasoning: new SurrogateGuard(), text: new SurrogateGuard() };

  /** `stop` is called once when it fails by itself or by `fail`. */
  constructor(
    prefix: { reasoning: string; answer: string } | undefined,
    limits: { firstMs: number; stallMs: number },
    stop: () => void,
  ) {
    this.stop = stop;
    this.stallMs = limits.stallMs;
    this.dropReasoning = prefix !== undefined && prefix.answer !== "";
    this.tags = new ThinkTagSplitter(
      this.dropReasoning ? "text" : "auto",
      (type, text) => (type === "text_was_thought" ? this.out.push({ type }) : this.add(type, text)),
      prefix?.reasoning === "" ? prefix.answer : undefined,
    );
    this.timer = this.limit(limits.firstMs);
  }

  /** A piece as the model gives it; text may still hold <think> tags. */
  push(type: "reasoning" | "text", text: string): void {
    if (this.over) return;
    if (this.heard) this.timer.refresh();
    else {
      this.heard = true;
      clearTimeout(this.timer);
      this.timer = this.limit(this.stallMs);
    }
    if (type === "reasoning") this.add(type, text);
    else this.tags.push(text);
    this.notify();
  }

  end(reason: "stop" | "length", usage: { promptTokens: number; completionTokens: number }): void {
    if (this.over) return;
    this.tags.flush();
    for (const type of ["reasoning", "text"] as const) this.append(type, this.guards[type].flush());
    this.out.push({ type: "usage", ...usage }, { type: "end", reason });
    this.finish();
  }

  fail(error: Error): void {
    if (this.over) return;
    this.failure = error;
    this.finish();
    this.stop();
  }

  /** The chunks since the last call; null after the last. Rejects with the failure once they are read. */
  async next(): Promise<ModelChunk[] | null> {
    for (;;) {
      if (this.out.length > 0) {
        const { out } = this;
        this.out = [];
        return out;
      }
      if (this.failure) throw this.failure;
      if (this.over) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private add(type: "reasoning" | "text", text: string): void {
    if (type === "reasoning" && this.dropReasoning) return;
    this.append(type, this.guards[type].push(text));
  }

  private append(type: "reasoning" | "text", text: string): void {
    if (text === "") return;
    const last = this.out.at(-1);
    if (last?.type === type) last.text += text;
    else this.out.push({ type, text });
  }

  private limit(ms: number): NodeJS.Timeout {
    const message = `The model in the process was silent for ${Math.round(ms / 1000)} s.`;
    return setTimeout(() => this.fail(new ModelError("stall", message)), ms);
  }

  private finish(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.notify();
  }

  private notify(): void {
    this.wake?.();
    this.wake = undefined;
  }
}
