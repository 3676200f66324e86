/** Longer sources are not drawn. */
export const longestDiagram = 50_000;
/** Nor are graphs of more lines: `maxEdges` in diagram-page.js. */
export const mostDiagramEdges = 500;
