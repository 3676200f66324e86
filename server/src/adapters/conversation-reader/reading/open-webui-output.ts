// An answer of Open WebUI that has its parts in a list of their own: thoughts, calls of tools with what they answered, code, text.
import { fenced } from "./fenced.ts";
import { isObject, listAt, numberAt, textAt } from "./json-value.ts";
import { callAsText, type DetailPart, outputOf } from "./open-webui-details.ts";

/** The parts in their order; none is blank. */
export function partsOfOutput(output: readonly unknown[]): DetailPart[] {
  const answers = new Map(
    output
      .filter((item) => textAt(item, "type") === "function_call_output")
      .map((item) => [textAt(item, "call_id"), textsIn(listAt(item, "output"))]),
  );
  return output
    .map((item): DetailPart => {
      switch (textAt(item, "type")) {
        case "message":
          return { type: "answer", text: textsIn(listAt(item, "content")) };
        case "reasoning": {
          const text = textsIn(listAt(item, "summary")) || textsIn(listAt(item, "content"));
          return { type: "thought", text, secs: numberAt(item, "duration") };
        }
        case "function_call": {
          const result = answers.get(textAt(item, "call_id")) ?? "";
          const call = { name: textAt(item, "name"), asked: textAt(item, "arguments"), result };
          return { type: "answer", text: callAsText(call) };
        }
        case "open_webui:code_interpreter": {
          const code = fenced(textAt(item, "code"), textAt(item, "lang") || "python");
          const gave = isObject(item) ? outputOf(item["output"]) : "";
          return { type: "answer", text: [code, gave].filter((part) => part !== "").join("\n\n") };
        }
        default:
          return { type: "answer", text: "" };
      }
    })
    .filter(({ text }) => text.trim() !== "");
}

function textsIn(parts: readonly unknown[]): string {
  return parts
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== "")
    .join("\n\n")
    .trim();
}
