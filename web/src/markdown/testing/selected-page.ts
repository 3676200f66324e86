// A page without a browser, of which a part is selected: what reads a selection is tested on it.
import { parseHTML } from "linkedom";
import { vi } from "vitest";

interface Point {
  node: Node;
  offset: number;
}

/** What of a style is asked for; as written in `style`. */
const styleNames = {
  display: "display",
  visibility: "visibility",
  userSelect: "user-select",
  whiteSpace: "white-space",
};
const inline = /^(?:A|B|BDI|CODE|EM|SPAN|STRONG|SUP)$/;

/**
 * The ranges that are selected in a page of this HTML: each from a « in it to the next ». What a browser knows of a page is
 * there until the test's globals go. All of them are the document's selection, as Firefox makes them.
 */
export function selectedIn(html: string): Range[] {
  const { window, document } = parseHTML(`<html><body>${html}</body></html>`);
  const { Element, HTMLElement, Text } = window;
  const named = (name: string) => ({
    [Symbol.hasInstance]: (node: unknown) => node instanceof Element && node.localName === name,
  });
  Object.defineProperty(HTMLElement.prototype, "start", {
    configurable: true,
    get(this: Element) {
      return Number(this.getAttribute("start") ?? 1);
    },
  });
  const points = takePoints(document.body);
  const ranges = points.flatMap((start, index) => {
    const end = points[index + 1];
    return index % 2 === 0 && end !== undefined ? rangeOf(start, end) : [];
  });
  const selection = {
    isCollapsed: false,
    rangeCount: ranges.length,
    getRangeAt: (index: number) => ranges[index],
  };
  Object.assign(document, { createTreeWalker: walkerOf, getSelection: () => selection });
  Object.defineProperty(HTMLElement.prototype, "checked", {
    configurable: true,
    get(this: Element) {
      return this.hasAttribute("checked");
    },
  });
  const globals = {
    document,
    Element,
    HTMLElement,
    Text,
    NodeFilter: { SHOW_TEXT: 4 },
    HTMLInputElement: named("input"),
    HTMLAnchorElement: named("a"),
    HTMLOListElement: named("ol"),
    getComputedStyle: styleOf,
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  return ranges;
}

function styleOf(element: Element): Record<string, string> {
  const written = element.getAttribute("style") ?? "";
  const valueOf = (name: string) => new RegExp(`(?:^|;)\\s*${name}:\\s*([^;]+)`).exec(written)?.[1];
  const style = Object.fromEntries(
    Object.entries(styleNames).map(([property, name]) => [property, valueOf(name) ?? ""]),
  );
  return { ...style, display: style["display"] || (inline.test(element.tagName) ? "inline" : "block") };
}

/** Where the signs stand, which are taken out of the texts. */
function takePoints(root: Node): Point[] {
  const points: Point[] = [];
  const visit = (node: Node): void => {
    for (const child of node.childNodes) visit(child);
    if (node.nodeType !== 3) return;
    const text = node as Text;
    for (let offset = text.data.search(/[«»]/); offset >= 0; offset = text.data.search(/[«»]/)) {
      text.data = text.data.slice(0, offset) + text.data.slice(offset + 1);
      points.push({ node, offset });
    }
  };
  visit(root);
  return points;
}

function rangeOf(start: Point, end: Point): Range {
  let common: Node = start.node;
  while (!common.contains(end.node) && common.parentNode !== null) common = common.parentNode;
  const range = {
    startContainer: start.node,
    startOffset: start.offset,
    endContainer: end.node,
    endOffset: end.offset,
    commonAncestorContainer: common,
    intersectsNode(node: Node): boolean {
      const { parentNode } = node;
      if (parentNode === null) return true;
      const index = [...parentNode.childNodes].indexOf(node as ChildNode);
      return (
        compare({ node: parentNode, offset: index }, end) < 0 &&
        compare({ node: parentNode, offset: index + 1 }, start) > 0
      );
    },
    comparePoint(node: Node, offset: number): number {
      if (compare({ node, offset }, start) < 0) return -1;
      return compare({ node, offset }, end) > 0 ? 1 : 0;
    },
    cloneRange: () => rangeOf(start, end),
    setEnd(node: Node, offset: number): void {
      Object.assign(range, rangeOf(start, { node, offset }));
    },
  };
  return range as unknown as Range;
}

/** Walks over the texts of a node. */
function walkerOf(root: Node): Pick<TreeWalker, "currentNode" | "nextNode"> {
  const texts: Text[] = [];
  const collect = (node: Node): void => {
    if (node.nodeType === 3) texts.push(node as Text);
    for (const child of node.childNodes) collect(child);
  };
  collect(root);
  return {
    currentNode: root,
    nextNode() {
      const at = { node: this.currentNode, offset: -1 };
      const next = texts.find((text) => text !== at.node && compare({ node: text, offset: -1 }, at) > 0);
      if (next !== undefined) this.currentNode = next;
      return next ?? null;
    },
  };
}

/** Less than 0: the first comes before the second. */
function compare(a: Point, b: Point): number {
  const [first, second] = [pathOf(a), pathOf(b)];
  const at = first.findIndex((index, depth) => index !== second[depth]);
  if (at < 0) return first.length - second.length;
  return (first[at] ?? 0) - (second[at] ?? -1);
}

function pathOf({ node, offset }: Point): number[] {
  const path = [offset];
  for (let at = node; at.parentNode !== null; at = at.parentNode)
    path.unshift([...at.parentNode.childNodes].indexOf(at as ChildNode));
  return path;
}
