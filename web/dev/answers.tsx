// Answers drawn by themselves, for journeys that measure and copy them; not shipped.
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import { useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { CitedSourcesContext, type CitedSource } from "../src/markdown/cited-sources.ts";
import { answers } from "../src/markdown/testing/answers.ts";
import { EnglishMarkdown } from "../src/markdown/testing/english-markdown.tsx";
import type { HeightJump } from "./answers-window.ts";

interface Shown {
  text: string;
  streaming: boolean;
  id: number;
}

const charactersPerAppend = 3;
const closing = /(?:\$\$|\\\]|```|\\end\{\w+\*?\})\s*$/;

const source = (index: number): [number, CitedSource] => [
  index,
  { url: `https://tides.example/${index}`, title: `Page ${index}`, siteName: null, date: null },
];
const sources = new Map(Array.from({ length: 20 }, (_, index) => source(index + 1)));

let show: (shown: Shown) => void = () => undefined;
let lastId = 0;

function Page() {
  const [shown, setShown] = useState<Shown>({ text: "", streaming: true, id: 0 });
  show = (next) => flushSync(() => setShown(next));
  return (
    <main style={{ height: "100vh", overflow: "auto" }}>
      <article style={{ maxWidth: "var(--column)", margin: "0 auto", padding: "var(--space-4)" }}>
        <CitedSourcesContext value={sources}>
          <EnglishMarkdown key={shown.id} text={shown.text} streaming={shown.streaming} />
        </CitedSourcesContext>
      </article>
    </main>
  );
}

const blocks = () => [...document.querySelectorAll<HTMLElement>("article > div > div > *")];
const heights = () => blocks().map((block) => block.getBoundingClientRect().height);

window.answers = answers;

window.showAnswer = (text) => show({ text, streaming: false, id: ++lastId });
window.continueAnswer = (text, streaming) => show({ text, streaming, id: lastId });

/**
 * Shows a text as it comes, a few characters at a time and each character of a closing sign by itself, and tells where a
 * block changed its height though it had ended, or as its end came.
 */
window.growAnswer = (text) => {
  const { now } = performance;
  steppedMs = Math.max(steppedMs, now.call(performance));
  performance.now = () => steppedMs;
  try {
    return grow(text);
  } finally {
    performance.now = now;
  }
};

/** Time stands still within a step and moves between steps: none is dear or waits, however slow the machine is. */
let steppedMs = 0;
const stepMs = 1000;

function grow(text: string): HeightJump[] {
  const id = ++lastId;
  const jumps: HeightJump[] = [];
  let before: number[] = [];
  for (let end = 0; end < text.length;) {
    const near = text.slice(end, end + charactersPerAppend + 6);
    end += /[$\\`}]/.test(near) ? 1 : charactersPerAppend;
    steppedMs += stepMs;
    show({ text: text.slice(0, end), streaming: true, id });
    const now = heights();
    const isEnd = now.length > before.length || closing.test(text.slice(0, end));
    const ended = isEnd ? before.length : before.length - 1;
    for (let index = 0; index < ended; index++) note(jumps, text.slice(0, end), index, before, now);
    before = now;
  }
  show({ text, streaming: false, id });
  const last = heights();
  before.forEach((_height, index) => note(jumps, text, index, before, last));
  return jumps;
}

function note(jumps: HeightJump[], shown: string, index: number, before: number[], now: number[]): void {
  const pixels = (now[index] ?? 0) - (before[index] ?? 0);
  if (Math.abs(pixels) <= 8) return;
  jumps.push({ at: shown.slice(-40), block: blocks()[index]?.outerHTML.slice(0, 80) ?? "", pixels });
}

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");
createRoot(root).render(<Page />);
