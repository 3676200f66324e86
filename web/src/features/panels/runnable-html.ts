/** The page to run for the code: an SVG picture gets one around it, and what names no kind of document a modern one. */
export function runnableHtml(language: string, code: string): string {
  if (language.toLowerCase() === "svg") {
    const style =
      "body{display:grid;place-items:center;min-height:100vh;margin:0}svg{max-width:100%;height:auto}";
    return `<!doctype html><style>${style}</style>${code}`;
  }
  return /^\s*(?:<!--[^]*?-->\s*)*<!doctype/i.test(code) ? code : `<!doctype html>${code}`;
}
