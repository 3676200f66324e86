import { useState, type ComponentType } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { answerText } from "./answer-text.ts";

/** What a page reports of one delivery. */
export interface DeliveryResult {
  appends: number;
  characters: number;
  /** Longest single append: state change, render and commit, in milliseconds. */
  longestAppend: number;
  /** Longest task the browser reports, in ms; 0 when none was over the 50 ms from which it reports. */
  longestTask: number;
  longTasks: number;
  wallMilliseconds: number;
  capped: boolean;
}

export interface AnswerProps {
  text: string;
  streaming: boolean;
}

declare global {
  interface Window {
    deliver: (characters: number, capMilliseconds: number) => Promise<DeliveryResult>;
  }
}

const charactersPerAppend = 5;
const appendsPerFrame = 20;

/** Offers `window.deliver`: the answer comes in appends of 5 characters, each drawn in a task of its own, 20 a frame. */
export function mount(Answer: ComponentType<AnswerProps>): void {
  let show: (props: AnswerProps) => void = () => undefined;
  function Page() {
    const [props, setProps] = useState<AnswerProps>({ text: "", streaming: true });
    show = setProps;
    return <Answer {...props} />;
  }
  const host = document.createElement("main");
  document.body.append(host);
  createRoot(host).render(<Page />);
  window.deliver = (characters, cap) => deliver(characters, cap, (props) => show(props));
}

async function deliver(
  characters: number,
  capMilliseconds: number,
  show: (props: AnswerProps) => void,
): Promise<DeliveryResult> {
  const whole = answerText(characters);
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map((entry) => entry.duration)),
  );
  observer.observe({ type: "longtask" });
  const started = performance.now();
  let text = "";
  let appends = 0;
  let longestAppend = 0;
  const append = () => {
    const begun = performance.now();
    // A slice of one text, so that no page pays for joining strings.
    text = whole.slice(0, text.length + charactersPerAppend);
    appends++;
    const props = { text, streaming: text.length < whole.length };
    flushSync(() => show(props));
    longestAppend = Math.max(longestAppend, performance.now() - begun);
  };
  const capped = await new Promise<boolean>((resolve) => {
    runInFrames(append, () => {
      if (text.length >= whole.length) resolve(false);
      else if (performance.now() - started > capMilliseconds) resolve(true);
      else return true;
      return false;
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  observer.disconnect();
  return {
    appends,
    characters: text.length,
    longestAppend,
    longestTask: Math.max(0, ...tasks),
    longTasks: tasks.length,
    wallMilliseconds: performance.now() - started,
    capped,
  };
}

/**
 * Runs `step` in tasks of their own, 20 a frame, while `goesOn`. Plain callbacks, no promises: the browser's
 * script counter leaves out what runs in microtasks.
 */
function runInFrames(step: () => void, goesOn: () => boolean): void {
  const channel = new MessageChannel();
  let left = 0;
  channel.port1.onmessage = () => {
    step();
    if (!goesOn()) channel.port1.close();
    else if (--left > 0) channel.port2.postMessage(null);
    else requestAnimationFrame(startFrame);
  };
  function startFrame(): void {
    left = appendsPerFrame;
    channel.port2.postMessage(null);
  }
  requestAnimationFrame(startFrame);
}
