// Code as Markdown: nothing in it ends its block (CommonMark 0.31 §4.5).

const LANGUAGE = /^[\w+#-]{1,20}$/u;

/** "" for no code. What is no name of a language is none. */
export function fenced(code: string, language: string): string {
  if (code.trim() === "") return "";
  let longest = 2;
  for (const [marks] of code.matchAll(/`{3,}/gu)) longest = Math.max(longest, marks.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${LANGUAGE.test(language) ? language : ""}\n${code.replace(/\n$/u, "")}\n${fence}`;
}
