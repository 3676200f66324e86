import type { CopiedElement, CopiedPart } from "./copied-parts.ts";

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** What is copied, as HTML. */
export function copiedHtml(parts: readonly CopiedPart[]): string {
  return parts.map((part) => (typeof part === "string" ? escaped(part) : elementHtml(part))).join("");
}

function elementHtml({ tag, children, href, start, dir, isKept }: CopiedElement): string {
  const written = Object.entries({ href, start, dir, style: isKept ? "white-space: pre-wrap" : undefined })
    .flatMap(([name, value]) => (value === undefined ? [] : ` ${name}="${escaped(String(value))}"`))
    .join("");
  const open = `<${tag}${written}>`;
  return tag === "br" || tag === "hr" ? open : `${open}${copiedHtml(children)}</${tag}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
