/** Scope of highlight.js ("" for none) and the text it covers. */
export type ColouredRun = readonly [scope: string, text: string];

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
