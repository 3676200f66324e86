/**
 * What follows the `$` of a program, and of no formula: a variable and what it holds (`$user->name`, `$row["id"]`), the last
 * argument of a call (`f($x)`), and what a shell calls `$@`, `$#` or `$?`.
 */
const beginnings = /^(?:[A-Za-z_]\w+(?:->\w|\[["'])|[A-Za-z_]\w*\)|[*@#?!][^\w\\^*([{])/;

/** Whether what follows a `$`, up to the next one or as far as it has come, is words of a program. More text changes no "yes". */
export function looksLikeCode(content: string): boolean {
  return beginnings.test(content);
}
