/**
 * A diagram whose frames stand deeper in each other is not drawn. Mermaid takes twice as long for each level of some: blocks
 * 16 deep took 1.6 s, 20 deep more than 15; states 20 deep took over four. Diagrams of models have three or four.
 */
export const deepestFrame = 12;

/** Nor is a tree of more levels: a mind map of 100 took seven seconds. */
export const deepestBranch = 30;

const quoted = /"[^"\n]*"/g;
/** At the start of a line; a frame in braces ends its line with one. */
const opens =
  /^(?:subgraph|loop|alt|opt|par|par_over|critical|break|rect|box)(?![\w-])|^(?:(?:state|namespace)\b.*\{|.*\{$)/;
const closes = /^(?:end(?![\w-])|\})/;
/** In a diagram of blocks several may stand on a line. */
const blockLine = /^[^\S\n]*block\b/m;
const blockWord = /(?<=^|\s)(?:(block)(?![\w-])|end(?![\w-]))/g;

/** Whether frames or branches stand too deep in each other, in time by the length of the source. */
export function isDiagramTooDeep(source: string): boolean {
  const plain = source.replace(quoted, '""');
  const steps = blockLine.test(plain) ? stepsOfBlocks(plain) : stepsOfFrames(plain);
  let depth = 0;
  for (const step of steps) {
    depth = Math.max(0, depth + step);
    if (depth > deepestFrame) return true;
  }
  return isTreeTooDeep(plain);
}

/** By how many levels the source leads deeper, sign by sign; lines that open or close no frame are left out. */
function stepsOfFrames(source: string): number[] {
  return source.split(/[\n;]/).flatMap((written) => {
    const line = written.trim();
    const isEnd = closes.test(line);
    if (!isEnd && !opens.test(line)) return [];
    const braces = Array.from(line.matchAll(/[{}]/g), ([sign]) => (sign === "{" ? 1 : -1));
    return braces.length > 0 ? braces : [isEnd ? -1 : 1];
  });
}

function stepsOfBlocks(source: string): number[] {
  return Array.from(source.matchAll(blockWord), ([, opener]) => (opener === undefined ? -1 : 1));
}

/** Whether more lines than may be are each further to the right than the one that they belong to. */
function isTreeTooDeep(source: string): boolean {
  const above: number[] = [];
  for (const line of source.split("\n")) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    while ((above.at(-1) ?? -1) >= indent) above.pop();
    above.push(indent);
    if (above.length > deepestBranch) return true;
  }
  return false;
}
