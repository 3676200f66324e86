// What a page and the worker say to each other. Each question brings a port for its answer.

/**
 * From a page. "loaded": it is there, so that builds of pages that are gone can go, too. "take-shared": what was shared and
 * is kept under this id; "" where there is nothing.
 */
export type ToWorker = { kind: "loaded" } | { kind: "which-build" } | { kind: "take-shared"; id: string };

/** From the worker: by which script the page began. */
export interface ToPage {
  kind: "which-entry";
}

interface Listener {
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** Asks and waits for the answer; null where none comes in time, or one that is no text. */
export function askFor(
  listener: Listener,
  question: ToWorker | ToPage,
  timeoutMs: number,
): Promise<string | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => settle(null), timeoutMs);
    function settle(answer: unknown): void {
      clearTimeout(timer);
      port1.close();
      resolve(typeof answer === "string" ? answer : null);
    }
    port1.onmessage = ({ data }) => settle(data);
    listener.postMessage(question, [port2]);
  });
}
