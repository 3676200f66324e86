/** A command at the very end, whose name may go on; `\\\\` is whole. */
const unfinishedCommand = /(?<=(?<!\\)(?:\\\\)*)\\(?:(?:begin|end)\{[^}]*|[A-Za-z]*)$/;

const mostTriedGroups = 4;

/**
 * A half-typed formula as ways to complete it, the likeliest first: what is open is closed, and what may still change
 * its meaning at the end (a command's name, a raised sign) is left away.
 */
export function completeTex(source: string): string[] {
  const body = source.replace(unfinishedCommand, "").replace(/[\s^_]+$/, "");
  const closers = openGroups(body).toReversed();
  if (body.trim() === "") return [];
  // A command in any of the open groups may still lack its second part: `\\frac{a`.
  const lacking = closers
    .slice(0, mostTriedGroups)
    .map((_closer, index) => [...closers.slice(0, index + 1), "{}", ...closers.slice(index + 1)]);
  const ways = [closers, ...lacking, ["{}", ...closers], ["{}", ...closers, "{}"]];
  return ways.map((signs) => body + signs.join(""));
}

/** What would close each group that is open at the end, outermost first. */
function openGroups(tex: string): string[] {
  const open: string[] = [];
  const signs = /\\begin\{([^}]*)\}|\\end\{[^}]*\}|\\left(?![A-Za-z])|\\right(?![A-Za-z])|\\.|[{}]/gs;
  for (const [sign, environment] of tex.matchAll(signs)) {
    if (environment !== undefined) open.push(`\\end{${environment}}`);
    else if (sign === "\\left") open.push("\\right.");
    else if (sign === "{") open.push("}");
    else if (sign === "}" || sign === "\\right" || sign.startsWith("\\end{")) open.pop();
  }
  return open;
}
