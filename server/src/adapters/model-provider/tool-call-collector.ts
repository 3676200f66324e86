// Tool calls of a chat/completions stream come in pieces: the first names the call, the others bring its arguments.
import { ModelError, type ToolCall } from "../../ports/model-provider.ts";

/** More than any tool of ours is called with. */
const CALLS_LIMIT = 64;
const CHARS_LIMIT = 256 * 1024;

export interface ToolCallPiece {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

/** Nothing of a call is used before its end: what has come of all of them is bounded. */
export class ToolCallCollector {
  private readonly calls = new Map<number, ToolCall>();
  private chars = 0;

  /** Throws ModelError over the bounds. */
  add(pieces: readonly ToolCallPiece[]): void {
    for (const { index, id, function: called } of pieces) {
      // Endpoints that send a call in one piece leave the index out.
      const place = typeof index === "number" ? index : this.calls.size;
      const call = this.calls.get(place) ?? { id: `call_${place}`, name: "", arguments: "" };
      if (typeof id === "string" && id !== "") call.id = id;
      if (typeof called?.name === "string") call.name += called.name;
      if (typeof called?.arguments === "string") call.arguments += called.arguments;
      this.calls.set(place, call);
      for (const text of [id, called?.name, called?.arguments]) {
        if (typeof text === "string") this.chars += text.length;
      }
      if (this.calls.size > CALLS_LIMIT || this.chars > CHARS_LIMIT) {
        throw new ModelError("protocol", "The model endpoint sent tool calls without end.");
      }
    }
  }

  /** The calls in their order, those without a name left out. */
  take(): ToolCall[] {
    const calls = [...this.calls.entries()].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    this.calls.clear();
    return calls.filter((call) => call.name !== "");
  }
}
