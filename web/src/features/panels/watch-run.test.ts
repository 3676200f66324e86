import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type StopReason, watchRun } from "./watch-run.ts";

/** A port whose messages arrive at once: the clock of the test alone decides when something happens. */
class Port extends EventTarget {
  other: Port | null = null;
  postMessage(data: unknown): void {
    this.other?.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  start(): void {}
  close(): void {}
}

class Channel {
  port1 = new Port();
  port2 = new Port();
  constructor() {
    [this.port1.other, this.port2.other] = [this.port2, this.port1];
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false, activeElement: null }));
  vi.stubGlobal("MessageChannel", Channel);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that has been handed its HTML, and why it was stopped. */
function runPage() {
  let answer = (): void => {};
  let isBusy = false;
  const stops: StopReason[] = [];
  const target = {
    postMessage(_html: string, _origin: string, [port]: [Port]) {
      answer = () => port.postMessage("answer");
      port.addEventListener("message", () => isBusy || answer());
    },
  };
  const frame = { contentWindow: target };
  const close = watchRun(frame as unknown as HTMLIFrameElement, {
    html: "<p>",
    onReport() {},
    onStop: (reason) => stops.push(reason),
  });
  const ready = Object.assign(new Event("message"), { source: target, data: { kind: "ready" } });
  window.dispatchEvent(ready);
  const page = {
    beginLoop: () => void (isBusy = true),
    /** What it was asked meanwhile is answered now. */
    endLoop() {
      isBusy = false;
      answer();
    },
  };
  return { page, stops, close };
}

test("a page that turns in a loop may compute for 5 s and is stopped after 6", () => {
  const { page, stops } = runPage();
  vi.advanceTimersByTime(60_999);
  page.beginLoop();
  vi.advanceTimersByTime(5000);
  expect(stops).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(stops).toEqual(["silence"]);
});

test("a page that answers again after 5 s goes on", () => {
  const { page, stops, close } = runPage();
  page.beginLoop();
  vi.advanceTimersByTime(5000);
  page.endLoop();
  vi.advanceTimersByTime(60_000);
  expect(stops).toEqual([]);
  close();
});
