import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { asian } from "./asian-script.ts";
import { drawInTime, makeSoon } from "./make-queue.ts";
import { undrawnWords } from "./undrawn.ts";

/** The browser takes some 2 milliseconds to break so many characters into lines, and does all of a node that changes. */
const longestNode = 10_000;
/** So far back a good place for a cut is looked for. */
const lookBack = 50;
const nodesAtOnce = 2;
/** What one of them takes to lay out, in elements of formulas. */
const elementsOfNode = 60;

const cutBehind = new RegExp(`^(?:\\s|${asian.source})$`, "u");
/** What belongs to the letter before it: an accent, a variant, the rest of one of two units or of a joined picture. */
const goesOn = /^[\p{M}\u200d\udc00-\udfff]/u;

/** The parts of a text, each short enough for a node of the page; what grows changes only the last of them. */
export function textParts(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > longestNode + 2) {
    const end = cutPlace(text, start + longestNode);
    parts.push(text.slice(start, end));
    start = end;
  }
  parts.push(text.slice(start));
  return parts;
}

/** Behind a space or Asian letter where there is one near, since letters of two nodes are not joined; never within a letter. */
function cutPlace(text: string, wanted: number): number {
  let betweenLetters: number | undefined;
  for (let at = wanted; at > wanted - lookBack; at--) {
    if (goesOn.test(text.slice(at, at + 2)) || text.charAt(at - 1) === "\u200d") continue;
    if (cutBehind.test(text.charAt(at - 1))) return at;
    betweenLetters ??= at;
  }
  return betweenLetters ?? wanted;
}

/** Parts of a text that follow its first, shown a few in each frame: all at once they would block the page. */
export function FurtherText({ parts }: { parts: readonly string[] }) {
  const [shown, setShown] = useState(typeof window === "undefined" ? Infinity : nodesAtOnce);
  const isAll = shown >= parts.length;
  useEffect(() => {
    if (isAll) return undefined;
    let wanted = true;
    makeSoon(() =>
      drawInTime(() => {
        if (wanted) flushSync(() => setShown(shown + 1));
        return elementsOfNode;
      }),
    );
    return () => {
      wanted = false;
    };
  }, [isAll, shown]);
  if (isAll) return parts;
  return (
    <>
      {parts.slice(0, shown)}
      <span
        ref={(rest) => {
          if (rest !== null) undrawnWords.set(rest, parts.slice(shown).join(""));
        }}
      />
    </>
  );
}
