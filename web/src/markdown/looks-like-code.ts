/**
 * What follows the `$` of a program, and of no formula: a variable and what it holds (`$user->name`, `$row["id"]`), the last
 * argument of a call (`f($x)`), the end of a quotation (`"$x" is`), and what a shell calls `$@`, `$#` or `$?`.
 */
const beginnings =
  /^(?:[A-Za-z_]\w+(?:->\w|\[["'])|[A-Za-z_]\w*\)|(?:[A-Za-z_]\w*"|[*@#?!])\s*(?:["'`.,;:)，。；：）\u3400-\u9fff]|\s[A-Za-z]{2}))/;

/** Whether what follows a `$`, up to the next one or as far as it has come, is words of a program. More text changes no "yes". */
export function looksLikeCode(content: string): boolean {
  return beginnings.test(content);
}
