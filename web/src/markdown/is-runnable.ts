const htmlLanguages = new Set(["html", "htm", "xhtml"]);

/** Whether a code block of this language can be run (requirements 1§1). */
export function isRunnable(language: string): boolean {
  const name = language.toLowerCase();
  return htmlLanguages.has(name) || name === "svg";
}
