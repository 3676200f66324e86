import { useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import "../../web/src/styles/tokens.css";
import "../../web/src/styles/base.css";
import { EnglishMarkdown } from "../../web/src/markdown/testing/english-markdown.tsx";
import { codeBlocks, growingTexts, openedTexts } from "./hard-texts.ts";

/** What the page tells of one case. */
export interface HardResult {
  characters: number;
  /** Tasks in which text was appended (state change, render and commit): calls of the function `appendSome`. */
  appendTasks: number;
  /** Longest task the browser reports (it reports those over 50 ms), else 0. */
  longestTask: number;
  longTasks: number;
}

declare global {
  interface Window {
    growAnswer: (name: string, size: number, pace: "full" | "even") => Promise<HardResult>;
    openAnswer: (name: string, size: number) => Promise<HardResult>;
  }
}

const charactersPerAppend = 5;
/** As fast as the page can. */
const full = { appends: 4, next: soon() };
/**
 * 16,000 characters a second, more than any model writes, on any machine. Each block is made as it comes, as for a reader;
 * at full speed many get no more than their place, the more of them the faster the machine.
 */
const even = { appends: 40, next: (work: () => void) => void setTimeout(work, 12) };
/** After the last change: time for what is made later (colours, far blocks), which must not block either. */
const settleMilliseconds = 4000;

let show: (props: { text: string; streaming: boolean; id: number }) => void = () => undefined;

function Page() {
  const [props, setProps] = useState({ text: "", streaming: true, id: 0 });
  show = setProps;
  return (
    <div style={{ height: "100vh", overflow: "auto" }}>
      <EnglishMarkdown key={props.id} text={props.text} streaming={props.streaming} />
    </div>
  );
}

const host = document.createElement("main");
document.body.append(host);
createRoot(host).render(<Page />);

function soon(): (work: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  return (work) => {
    port1.onmessage = work;
    port2.postMessage(null);
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows `steps` states of the page, some in each task of the pace, and tells of the tasks until the page has settled. */
async function measured(
  characters: number,
  steps: number,
  pace: typeof full,
  step: (index: number) => void,
): Promise<HardResult> {
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map((entry) => entry.duration)),
  );
  observer.observe({ type: "longtask" });
  let done = 0;
  let appendTasks = 0;
  await new Promise<void>((resolve, reject) => {
    function appendSome() {
      try {
        appendTasks++;
        const end = Math.min(steps, done + pace.appends);
        for (; done < end; done++) step(done);
        if (done < steps) pace.next(appendSome);
        else resolve();
      } catch (error) {
        reject(error as Error);
      }
    }
    // The trace tells calls by their names, which the build shortens.
    Object.defineProperty(appendSome, "name", { value: "appendSome" });
    // Making the text is no task of the answer.
    pace.next(appendSome);
  });
  await pause(settleMilliseconds);
  observer.disconnect();
  return { characters, appendTasks, longestTask: Math.max(0, ...tasks), longTasks: tasks.length };
}

function textOf(name: string, size: number): string {
  if (name === "few code blocks") return codeBlocks.few(size)(15);
  if (name === "many code blocks") return codeBlocks.many(size)(1500);
  const text = growingTexts[name]?.(size) ?? openedTexts[name]?.();
  if (text === undefined) throw new Error(`No such text: ${name}`);
  return text;
}

let lastId = 0;

window.growAnswer = async (name, size, pace) => {
  const whole = textOf(name, size);
  const id = ++lastId;
  const appends = Math.ceil(whole.length / charactersPerAppend);
  return measured(whole.length, appends + 1, pace === "full" ? full : even, (index) => {
    const text = whole.slice(0, (index + 1) * charactersPerAppend);
    flushSync(() => show({ text, streaming: index < appends, id }));
  });
};

window.openAnswer = async (name, size) => {
  const text = textOf(name, size);
  const id = ++lastId;
  return measured(text.length, 1, full, () => flushSync(() => show({ text, streaming: false, id })));
};
