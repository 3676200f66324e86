/** Longer sources are not drawn. */
export const longestDiagram = 50_000;
/** Nor are graphs of more lines: `maxEdges` in diagram-page.js. */
export const mostDiagramEdges = 500;
/** Of longer lines only so much is looked at for the likely size: more would take time. */
export const longestDiagramLine = 400;
