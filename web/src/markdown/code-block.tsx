import { memo } from "react";
import { CodeFrame } from "./code-frame.tsx";
import { unescapeInfo } from "./markdown-parser.ts";
import { MathFormula } from "./math.tsx";
import { MermaidPart } from "./mermaid-part.tsx";

export interface CodeBlockProps {
  /** Info string of the fence as written. */
  info: string;
  /** The code in parts of whole lines; only the last may still grow. */
  chunks: readonly string[];
  /** Whether the code is complete. */
  settled: boolean;
}

/** A code block of a reply: a diagram for mermaid, a formula for math, else code (requirements 1§4). */
export const CodeBlock = memo(function CodeBlock({ info, chunks, settled }: CodeBlockProps) {
  const language = /^[^\s{]*/.exec(unescapeInfo(info))?.[0].slice(0, 40) ?? "";
  if (language.toLowerCase() === "mermaid") return <MermaidPart chunks={chunks} settled={settled} />;
  if (language.toLowerCase() === "math")
    return <MathFormula tex={chunks.join("").trim()} display growing={!settled} />;
  return <CodeFrame language={language} chunks={chunks} settled={settled} />;
});
