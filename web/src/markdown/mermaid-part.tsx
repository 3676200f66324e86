import { lazyPart, useMayShow } from "../ui/lazy-part.tsx";
import { CodeFrame } from "./code-frame.tsx";
import { DiagramPlace, knownPlace } from "./diagram-place.tsx";

interface MermaidPartProps {
  chunks: readonly string[];
  settled: boolean;
}

const mermaidBlock = lazyPart(() => import("./mermaid-block.tsx").then(({ MermaidBlock }) => MermaidBlock));

/**
 * A mermaid block, whose code loads with the first diagram. Until then, and where it can't be had, the diagram is code, or
 * the empty place of one that was drawn before.
 */
export function MermaidPart({ chunks, settled }: MermaidPartProps) {
  if (useMayShow(mermaidBlock)) return <mermaidBlock.Part chunks={chunks} settled={settled} />;
  const size = knownPlace(settled ? chunks.join("") : "");
  return (
    <CodeFrame language="mermaid" chunks={chunks} settled={settled} waits={settled && size === null}>
      {size === null ? undefined : <DiagramPlace size={size} />}
    </CodeFrame>
  );
}
