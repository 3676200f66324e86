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
  private calls: { place: number; call: ToolCall }[] = [];
  /** The last call of each place. */
  private readonly growing = new Map<number, ToolCall>();
  private chars = 0;

  /** Throws ModelError over the bounds. */
  add(pieces: readonly ToolCallPiece[]): void {
    for (const { index, id, function: called } of pieces) {
      // Endpoints that send a call in one piece leave the index out.
      const place = typeof index === "number" ? index : this.calls.length;
      const known = this.growing.get(place);
      const call = known === undefined || isAnother(known, id, called?.name) ? this.begin(place) : known;
      if (typeof id === "string" && id !== "") call.id = id;
      if (typeof called?.name === "string") call.name += called.name;
      if (typeof called?.arguments === "string") call.arguments += called.arguments;
      for (const text of [id, called?.name, called?.arguments]) {
        if (typeof text === "string") this.chars += text.length;
      }
      if (this.calls.length > CALLS_LIMIT || this.chars > CHARS_LIMIT) {
        throw new ModelError("protocol", "The model endpoint sent tool calls without end.");
      }
    }
  }

  /** The calls in their order, those without a name left out. */
  take(): ToolCall[] {
    const calls = this.calls.toSorted((a, b) => a.place - b.place).map(({ call }) => call);
    this.calls = [];
    this.growing.clear();
    return calls.filter((call) => call.name !== "");
  }

  private begin(place: number): ToolCall {
    const call = { id: `call_${this.calls.length}`, name: "", arguments: "" };
    this.calls.push({ place, call });
    this.growing.set(place, call);
    return call;
  }
}

/**
 * True for a piece that begins another call than the one it is numbered as: several servers give the same number to all calls of
 * a turn. Some send another id with each piece of one call; those name it only once.
 */
function isAnother(call: ToolCall, id: unknown, name: unknown): boolean {
  const isGiven = (text: unknown): boolean => typeof text === "string" && text !== "";
  return call.name !== "" && isGiven(name) && isGiven(id) && id !== call.id;
}
