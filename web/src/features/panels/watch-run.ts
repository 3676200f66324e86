// One run of HTML in its frame (wire-contract.md §6.7): hands the HTML over, and stops what harms the page around it.
import { guardFocus } from "./run-focus.ts";
import { addToReport, emptyReport, isFlooding, readRunMessage, type RunReport } from "./run-report.ts";

/** Why a run was stopped: what it did without measure, or that it hangs. */
export type StopReason = "messages" | "focus" | "steps" | "silence";

const focusTaken = 3;
/** Steps that it adds to the tab's history without a press in it, and times that it loads itself anew. */
const stepsTaken = 5;
/**
 * It may compute for 5 s, and is gone after 6 s at the latest. A loop is seen by this alone: Chromium keeps what it posts in the
 * frame's process until it ends, and that process grows all along.
 */
const askMs = 1000;
const unansweredAsks = 5;

/** `onReport` hears of every message, `onStop` once: the frame is to be taken away at once. Returns what ends the watch. */
export function watchRun(
  frame: HTMLIFrameElement,
  {
    html,
    onReport,
    onStop,
  }: { html: string; onReport: (report: RunReport) => void; onStop: (reason: StopReason) => void },
): () => void {
  let report = emptyReport;
  let steps = 0;
  let unanswered = 0;
  let port: MessagePort | null = null;

  const guard = guardFocus(frame, (times) => {
    if (times >= focusTaken) stop("focus");
  });

  /** What runs there has no hold of the port: it brings only what our own script in the page says. */
  function giveHtml(target: Window): void {
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.addEventListener("message", ({ data }) => {
      unanswered = 0;
      if (data === "step") countStep();
      if (data !== "pressed") return;
      steps = 0;
      guard.pressed();
    });
    port.start();
    // The page has no origin that could be named; what it is told is what it shows.
    target.postMessage(html, "*", [channel.port2]);
  }

  function countStep(): void {
    steps += 1;
    if (steps > stepsTaken) stop("steps");
  }

  function receive(event: MessageEvent<unknown>): void {
    const target = frame.contentWindow;
    if (target === null || event.source !== target) return;
    const { data } = event;
    report = addToReport(report, data);
    if (isFlooding(report)) return stop("messages");
    if (readRunMessage(data)?.kind === "ready") {
      // A second time: the page has loaded itself anew, as a game does that begins again.
      if (port !== null) countStep();
      giveHtml(target);
    }
    onReport(report);
  }

  /** Not while nobody sees it, where browsers let it sleep. */
  function ask(): void {
    guard.check();
    if (document.hidden || port === null) return void (unanswered = 0);
    if (unanswered >= unansweredAsks) return stop("silence");
    unanswered += 1;
    port.postMessage("ask");
  }

  function close(): void {
    window.removeEventListener("message", receive);
    clearInterval(asking);
    guard.close();
    port?.close();
  }

  function stop(reason: StopReason): void {
    close();
    onStop(reason);
  }

  window.addEventListener("message", receive);
  const asking = setInterval(ask, askMs);
  return close;
}
