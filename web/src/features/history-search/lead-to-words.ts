// Leads on from the message of a hit to the words that were found, which can stand far below its beginning, and marks them.
import type { SearchHit } from "@plumb/protocol/wire/history";
import { wordsInText } from "../../engine/history-search/words-in-text.ts";
import type { LeadFromMessage } from "../../hooks/lead-from-message.ts";
import "./found-words.css";

/** As in found-words.css. */
const NAME = "found-words";
/** As long as their message is tinted (milliseconds; as message-item.module.css). */
const LEAD_MS = 2400;
/** More of a message the server does not search, either. */
const MOST_CHARS = 200_000;
/** Where they stand then, by the height of the page; those that stand this high below the top of their message show with it. */
const AT = 1 / 3;
const HIGH_ENOUGH = 2 / 3;
/** A browser puts text between pixels. */
const SAME_PX = 2;
const MOVED_BY_HAND = ["wheel", "touchmove", "pointerdown", "keydown"];

/** The last one: a message is led on from once more when its branch changes on the way. */
let led = new AbortController();

export function leadToWords(hit: SearchHit): LeadFromMessage {
  return (message, scroller, show) => {
    led.abort();
    led = new AbortController();
    const { signal } = led;
    const until = performance.now() + LEAD_MS;
    let words: Range[] = [];
    let hasChanged = true;
    let isMoved = false;
    const changes = new MutationObserver(() => (hasChanged = true));
    changes.observe(message, { childList: true, characterData: true, subtree: true });
    for (const type of MOVED_BY_HAND)
      window.addEventListener(type, () => (isMoved = true), { signal, capture: true, passive: true });
    signal.addEventListener("abort", () => {
      changes.disconnect();
      mark([]);
    });

    const look = (): void => {
      if (signal.aborted) return;
      if (performance.now() > until || !message.isConnected) return led.abort();
      // What is drawn in full takes the place of the words alone, and the ranges lose what they held.
      if (hasChanged && (words.length === 0 || words.some(({ collapsed }) => collapsed))) {
        words = wordsIn(message, hit);
        mark(words);
      }
      hasChanged = false;
      const [first] = words;
      if (first !== undefined && !isMoved) bringIntoView(first, message, scroller, show);
      requestAnimationFrame(look);
    };
    look();
  };
}

/** Where the browser can mark nothing, the page only goes there. */
function mark(words: readonly Range[]): void {
  if (!("highlights" in CSS)) return;
  if (words.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...words));
}

function wordsIn(message: HTMLElement, hit: SearchHit): Range[] {
  const walker = document.createTreeWalker(
    message,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
      // Nobody said what stands on a button.
      return node.nodeName === "BUTTON" ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    },
  );
  const nodes: { node: Node; begin: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node !== null && text.length < MOST_CHARS; node = walker.nextNode()) {
    nodes.push({ node, begin: text.length });
    text += node.nodeValue ?? "";
  }
  return wordsInText(hit, text).flatMap(([from, to]) => {
    const first = nodes.findLast(({ begin }) => begin <= from);
    const last = nodes.findLast(({ begin }) => begin < to);
    if (first === undefined || last === undefined) return [];
    const range = document.createRange();
    range.setStart(first.node, from - first.begin);
    range.setEnd(last.node, to - last.begin);
    return [range];
  });
}

function bringIntoView(
  words: Range,
  message: HTMLElement,
  scroller: HTMLElement,
  show: Parameters<LeadFromMessage>[2],
): void {
  const around = words.startContainer.parentElement;
  if (around === null) return;
  // The words of a place are laid out by themselves: only the place itself stands where they will be.
  const place = around.closest("[data-place]");
  const boxOf = () => (place === null ? words.getClientRects()[0] : place.getBoundingClientRect());
  showInFrames(around, message, boxOf);
  const box = boxOf();
  if (box === undefined) return;
  const { top: edge, height } = scroller.getBoundingClientRect();
  const { top } = message.getBoundingClientRect();
  const off = box.top - (edge + AT * height);
  if (box.top - top <= HIGH_ENOUGH * height || Math.abs(off) <= SAME_PX) return;
  show(off, around);
}

/** Tables and code scroll in frames of their own. */
function showInFrames(within: Element, message: Element, boxOf: () => DOMRect | undefined): void {
  for (let frame: Element | null = within; frame !== null && frame !== message; frame = frame.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(frame);
    const [seen, box] = [frame.getBoundingClientRect(), boxOf()];
    if (box === undefined) return;
    const isOut = box.top < seen.top || box.top + SAME_PX > seen.bottom;
    if (/auto|scroll/u.test(overflowY) && isOut) frame.scrollTop += box.top - seen.top - AT * seen.height;
    const isAside = box.left < seen.left || box.right > seen.right;
    if (/auto|scroll/u.test(overflowX) && isAside) frame.scrollLeft += box.left - seen.left - AT * seen.width;
  }
}
