/** Scope of highlight.js ("" for none) and the text it covers. */
export type ColouredRun = readonly [scope: string, text: string];

/** Of a longer line of code only this many characters are coloured. */
const longestColouredLine = 2000;
/** A chunk in more pieces than this keeps its ink from there on: a thousand take about ten milliseconds to draw. */
const mostRuns = 1500;

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/**
 * Reads highlight.js's own markup (spans with classes and five entities, nothing else) into runs, cut where the
 * chunks of the code are cut. The scope of a run is that of the innermost span.
 */
export function colouredChunks(markup: string, chunks: readonly string[]): ColouredRun[][] {
  const result: ColouredRun[][] = [];
  const scopes: string[] = [];
  let index = 0;
  let room = chunks[0]?.length ?? 0;
  let runs: ColouredRun[] = [];
  const put = (whole: string) => {
    let text = whole;
    while (text !== "") {
      if (room === 0) {
        result.push(runs);
        runs = [];
        room = chunks[++index]?.length ?? text.length;
      }
      const part = text.slice(0, room);
      runs.push([scopes.at(-1) ?? "", part]);
      room -= part.length;
      text = text.slice(part.length);
    }
  };
  for (const [piece] of markup.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (piece === "</span>") scopes.pop();
    else if (piece.startsWith("<span")) scopes.push(/"(?:hljs-)?([\w.-]*)/.exec(piece)?.[1] ?? "");
    else put(piece.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity));
  }
  result.push(runs);
  return result;
}

/** Code with its lines cut where their colours end. */
export function withoutLongEnds(code: string): string {
  if (code.length <= longestColouredLine) return code;
  return code
    .split("\n")
    .map((line) => line.slice(0, longestColouredLine))
    .join("\n");
}

/** The coloured runs of `withoutLongEnds(code)` with the ends of its lines again, uncoloured. */
export function withLongEnds(runs: readonly ColouredRun[], code: string): ColouredRun[] {
  const result: ColouredRun[] = [];
  let at = 0;
  for (const [scope, text] of runs) {
    for (const part of text.match(/[^\n]+|\n/g) ?? []) {
      if (result.length >= mostRuns) break;
      if (part === "\n") {
        const end = code.indexOf("\n", at) + 1;
        result.push(["", code.slice(at, end)]);
        at = end;
      } else {
        result.push([scope, part]);
        at += part.length;
      }
    }
  }
  if (at < code.length) result.push(["", code.slice(at)]);
  return joinRuns(result);
}

function joinRuns(runs: readonly ColouredRun[]): ColouredRun[] {
  const joined: ColouredRun[] = [];
  for (const [scope, text] of runs) {
    const last = joined.at(-1);
    if (last?.[0] === scope) joined[joined.length - 1] = [scope, last[1] + text];
    else joined.push([scope, text]);
  }
  return joined;
}
