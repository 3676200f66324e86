import { withHiddenCharacters } from "./diagram-characters.ts";
import { isDiagramTooDeep } from "./diagram-bounds.ts";
import { type DiagramColours, readDiagramColours } from "./diagram-colours.ts";
import { longestDiagram } from "./diagram-limits.ts";
import { withoutFormatTags } from "./diagram-tags.ts";
import { asksOutside } from "./outside-diagram.ts";

/** Asked of the page at `/static/diagram.html` (wire-contract.md §6.7). */
interface DrawRequest {
  id: number;
  source: string;
  dark: boolean;
  /** By mermaid's names for them. */
  colours: DiagramColours;
}

/** What that page answers; it is sandboxed and not trusted. */
interface DrawAnswer {
  id: number;
  svg: string | null;
}

interface WaitingDrawing {
  request: DrawRequest;
  done: (svg: string | null) => void;
}

const framePath = "/static/diagram.html";
const longestDrawingMilliseconds = 15_000;
const longestSvg = 4_000_000;

let frame: HTMLIFrameElement | null = null;
let ready = false;
let lastId = 0;
let current: (WaitingDrawing & { timer: ReturnType<typeof setTimeout> }) | null = null;
const queue: WaitingDrawing[] = [];
const afterOthers: WaitingDrawing[] = [];

/**
 * Draws a diagram in the sandboxed page, one after the other; null when it cannot be drawn, is too deep or takes too long, false
 * when it could load something from outside. The page is opened with the first diagram and thrown away when it hangs.
 */
export async function drawDiagram(
  source: string,
  dark: boolean,
  when: "soon" | "after others",
): Promise<string | false | null> {
  if (source.trim() === "" || source.length > longestDiagram || isDiagramTooDeep(source)) return null;
  // Before it is looked at: what is left may read otherwise.
  const plain = withoutFormatTags(source);
  if (asksOutside(plain)) return false;
  return new Promise((resolve) => {
    (when === "soon" ? queue : afterOthers).push({
      request: { id: ++lastId, source: withHiddenCharacters(plain), dark, colours: readDiagramColours(dark) },
      done: resolve,
    });
    next();
  });
}

function next(): void {
  if (current !== null) return;
  const waiting = queue.shift() ?? afterOthers.shift();
  if (waiting === undefined) return;
  current = { ...waiting, timer: setTimeout(giveUp, longestDrawingMilliseconds) };
  openFrame();
  if (ready) send();
}

function send(): void {
  // The sandboxed page has no origin of its own, so no target origin can be named; the source is no secret to it.
  if (current !== null) frame?.contentWindow?.postMessage(current.request, "*");
}

function openFrame(): void {
  if (frame !== null) return;
  ready = false;
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = framePath;
  frame.title = "";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  // Laid out but out of sight: text cannot be measured in a page without a size.
  Object.assign(frame.style, {
    position: "fixed",
    width: "1000px",
    height: "800px",
    left: "-2000px",
    top: "0",
    border: "0",
    visibility: "hidden",
  });
  window.addEventListener("message", receive);
  document.body.append(frame);
}

function receive(event: MessageEvent<unknown>): void {
  if (frame === null || event.source !== frame.contentWindow) return;
  if (event.data === "ready") {
    ready = true;
    send();
    return;
  }
  const answer = readAnswer(event.data);
  if (answer === null || answer.id !== current?.request.id) return;
  settle(answer.svg);
}

function readAnswer(data: unknown): DrawAnswer | null {
  if (typeof data !== "object" || data === null || !("id" in data) || !("svg" in data)) return null;
  const { id, svg } = data;
  if (typeof id !== "number") return null;
  const drawn = typeof svg === "string" && svg.startsWith("<svg") && svg.length <= longestSvg ? svg : null;
  return { id, svg: drawn };
}

function giveUp(): void {
  window.removeEventListener("message", receive);
  frame?.remove();
  frame = null;
  settle(null);
}

function settle(svg: string | null): void {
  if (current === null) return;
  const { done, timer } = current;
  clearTimeout(timer);
  current = null;
  done(svg);
  next();
}
