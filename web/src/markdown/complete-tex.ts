/**
 * A half-typed formula as ways to complete it, the likeliest first: what is open is closed, and what may still change
 * its meaning at the end (a command's name, a raised sign) is left away.
 */
export function completeTex(source: string): string[] {
  const body = source.replace(/(?:\\(?:begin|end)(?:\{[^}]*)?|\\[A-Za-z]*|[\^_&\s])*$/, "");
  const closers = openGroups(body).toReversed();
  if (body.trim() === "") return [];
  const [first = "", ...others] = closers;
  const rest = others.join("");
  // A command may still lack its second part: `\frac{a`.
  return [body + first + rest, `${body}${first}{}${rest}`, `${body}{}${first}${rest}`];
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
