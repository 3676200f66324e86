import { keptDiagram } from "./drawn-diagrams.ts";
import { patiently } from "../ui/lazy-part.tsx";

/**
 * The SVG of a diagram, made anew or kept from before; false where it could load something from outside. What draws loads
 * with the first diagram; without it there is none.
 */
export async function makeDrawing(
  source: string,
  dark: boolean,
  when: "soon" | "after others",
): Promise<string | false | null> {
  const kept = keptDiagram(source, dark);
  if (kept !== null) return kept;
  try {
    const { drawDiagram } = await patiently(() => import("./diagram-frame.ts"));
    return await drawDiagram(source, dark, when);
  } catch (error) {
    console.warn("what draws diagrams could not be loaded", error);
    return null;
  }
}
