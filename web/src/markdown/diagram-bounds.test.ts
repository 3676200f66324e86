import { describe, expect, test } from "vitest";
import { deepestBranch, deepestFrame, isDiagramTooDeep } from "./diagram-bounds.ts";
import { answers } from "./testing/answers.ts";

const lines = (count: number, line: (level: number) => string) =>
  Array.from({ length: count }, (_none, level) => line(level)).join("\n");
const nested = (head: string, open: string, core: string, close: string) => (depth: number) =>
  [head, lines(depth, (level) => open.replaceAll("#", String(level))), core, lines(depth, () => close)].join(
    "\n",
  );

describe("a diagram is too deep", () => {
  test.each([
    ["subgraphs", nested("flowchart TD", 'subgraph s#["the end"]', "A-->B", "end")],
    ["states", nested("stateDiagram-v2", "state s# {", "A-->B", "}")],
    [
      "states on a line",
      (depth: number) => `stateDiagram-v2\n${"state a { ".repeat(depth)}b${" }".repeat(depth)}`,
    ],
    ["blocks", nested("block-beta", "  block:b#:2", "a", "  end")],
    [
      "blocks on a line",
      (depth: number) => `block-beta\nblock ${"block ".repeat(depth - 1)}a ${"end ".repeat(depth)}`,
    ],
    ["loops", nested("sequenceDiagram", "loop until the end", "A->>B: x", "end")],
    ["boundaries", nested("C4Context", 'Boundary(b#, "x") {', 'System(a, "y")', "}")],
    ["namespaces", nested("classDiagram", "namespace N# {", "class A", "}")],
  ])("by %s deeper than 12", (_name, make) => {
    expect(isDiagramTooDeep(make(deepestFrame))).toBe(false);
    expect(isDiagramTooDeep(make(deepestFrame + 1))).toBe(true);
    expect(isDiagramTooDeep(make(2000))).toBe(true);
  });

  test("by branches deeper than 30", () => {
    const map = (depth: number) => `mindmap\n${lines(depth, (level) => `${" ".repeat(level)}n${level}`)}`;
    expect(isDiagramTooDeep(map(deepestBranch))).toBe(false);
    expect(isDiagramTooDeep(map(deepestBranch + 2))).toBe(true);
  });

  test.each([
    ["frames beside each other", `flowchart TD\n${"subgraph a\nA-->B\nend\n".repeat(40)}`],
    ["states with one line each", `stateDiagram-v2\n${"state a { [*] --> b }\n".repeat(40)}`],
    ["classes and entities with their members", `classDiagram\n${"class A {\n+x\n}\n".repeat(40)}`],
    ["diamonds and hexagons", `flowchart TD\n${"A{x} --> B{{y}}\n".repeat(40)}`],
    ["signs in words", `flowchart TD\n${'A["{"] --> B["subgraph"]\n'.repeat(40)}`],
    ["messages that tell of it", `sequenceDiagram\n${"A->>B: loop, block and {\nB-->>A: end\n".repeat(12)}`],
  ])("and not by %s", (_name, source) => {
    expect(isDiagramTooDeep(source)).toBe(false);
  });

  test("and none is in an answer that people get", () => {
    const diagrams = answers.flatMap((answer) => [...answer.matchAll(/```mermaid\n([^]*?)```/g)]);
    expect(diagrams.length).toBeGreaterThan(1);
    expect(diagrams.filter(([, source = ""]) => isDiagramTooDeep(source))).toEqual([]);
  });
});
