import {
  copiedCitation,
  copiedDiagram,
  copiedElement,
  copiedFormula,
  copiedMark,
  copiedNote,
  copiedTask,
  copiedWords,
  isBlock,
  joined,
  type CopiedPart,
} from "./copied-parts.ts";
import { goesOn, headingTag } from "./parts-of-elements.ts";
import type { createTextReader } from "./parts-of-text.ts";
import { shownTexts, undrawnMessages, undrawnWords } from "./undrawn.ts";

type Parts = readonly CopiedPart[];

/** What is no part of the text: presses, boxes to write in, what is not seen. */
const left =
  "[data-uncopied], [hidden], button, svg, script, style, noscript, template, textarea, select, input:not([disabled])";
/** Parts of a table or list: without what holds them they lose their columns and their numbers. */
const held = "table, thead, tbody, tr, ol, ul";
/** What is copied whole: a part of a drawn formula has no source, and a place none of what it stands for. */
const atoms = "[data-tex], [data-place]";
/** Where the elements say by their names how they are laid out. */
const known = "[data-message-id], [data-message-group]";

/**
 * What is copied of the selected part of a page, of what was not drawn yet too; null where the browser copies it as well, or
 * nothing of it is of a message.
 */
export function partsOfPage(range: Range, reader: ReturnType<typeof createTextReader>): Parts | null {
  /** Whether it has what the browser would copy otherwise. */
  let isOwn = false;
  let isOfMessage = false;

  function partsOf(node: Node, isWhole: boolean, isKnown: boolean): Parts {
    if (!isWhole && !range.intersectsNode(node)) return [];
    if (node instanceof Text) return textParts(node);
    if (!(node instanceof Element) || node.matches(left)) {
      isOwn ||= node instanceof Element;
      return [];
    }
    const isPart = !isWhole && holdsEdge(node);
    const isLaidOut = isKnown || shownTexts.has(node) || node.matches(known);
    isOfMessage ||= isLaidOut;
    const special = partsOfSpecial(node, isPart);
    if (special !== null) {
      isOwn = true;
      return special;
    }
    const style = isLaidOut ? null : getComputedStyle(node);
    if (style !== null && isNotSelected(style)) return [];
    const inside = childParts(node, !isPart, isLaidOut);
    const children = inside.flat();
    if (isPart && children.length === 0) return [];
    if (node.hasAttribute("data-said"))
      return copiedWords(children.filter((child) => typeof child === "string").join(""));
    const tag = headingTag(node.localName, node.getAttribute("data-level"));
    isOwn ||= tag === "ol";
    return copiedElement(tag, children, {
      isOnLines: style === null ? tag !== "span" && tag !== "bdi" : !/inline|contents/.test(style.display),
      href: addressOf(node),
      start: node instanceof HTMLOListElement ? startOf(node, inside) : undefined,
      dir: node.getAttribute("dir") === "rtl" ? "rtl" : undefined,
      ...(goesOn(node.getAttribute("class") ?? "") && { goesOn: true }),
      ...(style?.whiteSpace.startsWith("pre") === true && !children.some(isBlock) && { isKept: true }),
    });
  }

  /** Of each child. */
  function childParts(node: Node, isWhole: boolean, isKnown: boolean): readonly Parts[] {
    return [...node.childNodes].map((child) => partsOf(child, isWhole, isKnown));
  }

  function partsOfSpecial(node: Element, isPart: boolean): Parts | null {
    const messages = undrawnMessages.get(node);
    // An edge may be in one of the messages of a group.
    if (messages !== undefined && !(isPart && node.matches(":has([data-message-id])")))
      return messages().flatMap((message) => reader.message(message));
    const shown = shownTexts.get(node);
    if (shown !== undefined && !shown.isWhole && shown.streaming !== true && !isPart)
      return reader.whole(shown);
    const rest = undrawnWords.get(node);
    if (rest !== undefined) return [rest];
    if (!(node instanceof HTMLElement)) return null;
    const { tex, display, place, diagram, cites, note, noteMark, words } = node.dataset;
    if (tex !== undefined) return [copiedFormula(tex, display !== undefined)];
    if (place !== undefined) return partsOfPlace(node, Number(place));
    // Of its code a part can be selected.
    if (diagram !== undefined)
      return isPart && node.querySelector("pre") !== null ? null : [copiedDiagram(diagram)];
    if (cites !== undefined) return [copiedCitation(cites, addressOf(node) ?? "")];
    if (noteMark !== undefined) return [copiedMark(node.textContent)];
    if (note !== undefined) return noteParts(node, !isPart);
    if (words !== undefined) return copiedWords(words);
    if (node instanceof HTMLInputElement) return node.type === "checkbox" ? [copiedTask(node.checked)] : [];
    return null;
  }

  function noteParts(node: Element, isWhole: boolean): Parts {
    const [label, ...others] = node.children;
    const children = others.flatMap((other) => partsOf(other, isWhole, true));
    // A part of its words stands without what it is called.
    if (label === undefined || !range.intersectsNode(label)) return children;
    return [copiedNote(label.textContent, children)];
  }

  function partsOfPlace(node: Element, key: number): Parts {
    let root: Element | null = node.parentElement;
    while (root !== null && !shownTexts.has(root)) root = root.parentElement;
    const shown = root === null ? undefined : shownTexts.get(root);
    return shown === undefined ? [] : reader.place(shown, key);
  }

  function textParts(node: Text): Parts {
    const end = node === range.endContainer ? range.endOffset : node.length;
    const words = node.data.slice(node === range.startContainer ? range.startOffset : 0, end);
    return words === "" ? [] : [words];
  }

  function holdsEdge(node: Node): boolean {
    return node.contains(range.startContainer) || node.contains(range.endContainer);
  }

  /** Of an item at the edge there may be nothing. */
  function startOf(list: HTMLOListElement, items: readonly Parts[]): number | undefined {
    const start = list.start + items.findIndex((item) => item.length > 0);
    return start === 1 ? undefined : start;
  }

  const root = rootOf(range.commonAncestorContainer);
  if (root === null) return null;
  const isKnown = (isOfMessage = isWithinMessage(root));
  const parts = root.matches(`${held}, ${atoms}, [data-diagram]`)
    ? partsOf(root, false, isKnown)
    : childParts(root, false, isKnown).flat();
  if (!isOfMessage) return null;
  // Of some paragraphs the browser would copy how they look, which it can't of those that are not drawn.
  return isOwn || parts.filter(isBlock).length > 1 ? joined(parts) : null;
}

/** What holds all that is selected, with the table or list that it is a part of; null where that is words as they are. */
function rootOf(node: Node): Element | null {
  let root = node instanceof Element ? node : node.parentElement;
  if (root === null) return null;
  const formula = root.closest("[data-tex]");
  if (formula !== null) return formula;
  if (root.closest(`pre, [data-said], [data-uncopied], ${atoms}`) !== null || isUndrawn(root)) return null;
  while (root.matches(held) && root.parentElement?.matches(held) === true) root = root.parentElement;
  return root;
}

function isWithinMessage(element: Element): boolean {
  for (let around: Element | null = element; around !== null; around = around.parentElement)
    if (shownTexts.has(around) || around.matches(known)) return true;
  return false;
}

function isUndrawn(element: Element): boolean {
  for (let around: Element | null = element; around !== null; around = around.parentElement)
    if (undrawnMessages.has(around) && !around.matches("[data-message-group]")) return true;
  return false;
}

/** The browser copies none of it either. */
function isNotSelected({ display, visibility, userSelect }: CSSStyleDeclaration): boolean {
  return display === "none" || visibility === "hidden" || userSelect === "none";
}

/** Where a link leads; from elsewhere an address of the page alone would lead nowhere. */
function addressOf(node: Element): string | undefined {
  if (!(node instanceof HTMLAnchorElement)) return undefined;
  const written = node.getAttribute("href") ?? undefined;
  return written?.startsWith("/") === true ? node.href : written;
}
