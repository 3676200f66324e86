import { useEffect, useState } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
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
  const [isHere, setHere] = useState(mermaidBlock.isHere);
  useEffect(() => {
    if (isHere) return undefined;
    let wanted = true;
    void mermaidBlock.preload().then((loaded) => wanted && setHere(loaded));
    return () => {
      wanted = false;
    };
  }, [isHere]);
  if (isHere) return <mermaidBlock.Part chunks={chunks} settled={settled} />;
  const size = knownPlace(settled ? chunks.join("") : "");
  return (
    <CodeFrame language="mermaid" chunks={chunks} settled={settled} waits={settled && size === null}>
      {size === null ? undefined : <DiagramPlace size={size} />}
    </CodeFrame>
  );
}
