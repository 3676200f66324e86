import { useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import "../../web/src/styles/tokens.css";
import "../../web/src/styles/base.css";
import { StreamingMarkdown } from "../../web/src/markdown/streaming-markdown.tsx";
import { codeBlocks, growingTexts, openedTexts } from "./hard-texts.ts";

/** What the page tells of one case. */
export interface HardResult {
  characters: number;
  /** Time of all appends together: state change, render and commit, in milliseconds. */
  appendMilliseconds: number;
  /** That of each append. */
  appends: readonly number[];
  /** Longest task the browser reports (it reports those over 50 ms), else 0. */
  longestTask: number;
  longTasks: number;
}

declare global {
  interface Window {
    growAnswer: (name: string, size: number) => Promise<HardResult>;
    openAnswer: (name: string, size: number) => Promise<HardResult>;
  }
}

const charactersPerAppend = 5;
const appendsPerTask = 4;
/** After the last change: time for what is made later (colours, far blocks), which must not block either. */
const settleMilliseconds = 4000;

let show: (props: { text: string; streaming: boolean; id: number }) => void = () => undefined;

function Page() {
  const [props, setProps] = useState({ text: "", streaming: true, id: 0 });
  show = setProps;
  return (
    <div style={{ height: "100vh", overflow: "auto" }}>
      <StreamingMarkdown key={props.id} text={props.text} streaming={props.streaming} />
    </div>
  );
}

const host = document.createElement("main");
document.body.append(host);
createRoot(host).render(<Page />);

const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function measured(characters: number, work: () => Promise<number[]>): Promise<HardResult> {
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map((entry) => entry.duration)),
  );
  observer.observe({ type: "longtask" });
  const appends = await work();
  const appendMilliseconds = appends.reduce((sum, each) => sum + each, 0);
  await pause(settleMilliseconds);
  observer.disconnect();
  return {
    characters,
    appendMilliseconds,
    appends,
    longestTask: Math.max(0, ...tasks),
    longTasks: tasks.length,
  };
}

function textOf(name: string, size: number): string {
  if (name === "few code blocks") return codeBlocks.few(size)(15);
  if (name === "many code blocks") return codeBlocks.many(size)(1500);
  const text = growingTexts[name]?.(size) ?? openedTexts[name]?.();
  if (text === undefined) throw new Error(`No such text: ${name}`);
  return text;
}

let lastId = 0;

window.growAnswer = async (name, size) => {
  const whole = textOf(name, size);
  const id = ++lastId;
  // Making the text is no task of the answer.
  await nextTask();
  return measured(whole.length, async () => {
    const appends: number[] = [];
    while (appends.length * charactersPerAppend < whole.length) {
      const text = whole.slice(0, (appends.length + 1) * charactersPerAppend);
      const started = performance.now();
      flushSync(() => show({ text, streaming: true, id }));
      appends.push(performance.now() - started);
      if (appends.length % appendsPerTask === 0) await nextTask();
    }
    const started = performance.now();
    flushSync(() => show({ text: whole, streaming: false, id }));
    return [...appends, performance.now() - started];
  });
};

window.openAnswer = async (name, size) => {
  const text = textOf(name, size);
  const id = ++lastId;
  await nextTask();
  return measured(text.length, async () => {
    const started = performance.now();
    flushSync(() => show({ text, streaming: false, id }));
    return [performance.now() - started];
  });
};
