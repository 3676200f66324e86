// The frames of a reply's stream as text, and those that a resume must bring (wire-contract.md §4.2).

/** The frames of a stream by their ids; what has no id comes under 0. */
export function framesOf(text: string): Map<number, string> {
  const frames = text.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"));
  return new Map(frames.map((frame) => [Number(/^id: (\d+)/.exec(frame)?.[1] ?? 0), `${frame}\n\n`]));
}

/** As §4.4 wants the first delta of a response: with the p and o that the log has. */
function explicit(frame: string): string {
  const [, head = "", data = ""] = /^(id: \d+\n)data: ([^\n]+)\n\n$/.exec(frame) ?? [];
  if (head === "") return frame;
  const delta = JSON.parse(data) as { p?: string; v: unknown };
  if (delta.p !== undefined || typeof delta.v !== "string") return frame;
  return `${head}data: ${JSON.stringify({ p: "response/fragments/-1/content", o: "APPEND", v: delta.v })}\n\n`;
}

/** What a reader must get who comes from there, up to the last event. */
export function framesAfter(position: number, frames: Map<number, string>, last: number): string {
  let text = "";
  let anyDelta = false;
  for (let id = position + 1; id <= last; id += 1) {
    const frame = frames.get(id) ?? "";
    const isDelta = !frame.includes("\nevent: ");
    text += isDelta && !anyDelta ? explicit(frame) : frame;
    anyDelta ||= isDelta;
  }
  return text;
}
