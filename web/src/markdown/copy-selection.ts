/** Copies selected text as it reads: without buttons, each formula once. What has none of an answer's parts is left to the browser. */
export function copySelection(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = wholeFormulas(selection.getRangeAt(0));
  const holder = document.createElement("div");
  holder.append(range.cloneContents());
  if (holder.querySelector("[data-tex], [data-uncopied], [data-cites], input[type=checkbox]") === null)
    return;
  makePlain(holder);
  nameCitations(holder, (number, href) => `[${number}](${href})`);
  // Only text that is laid out knows its lines.
  Object.assign(holder.style, { position: "fixed", insetInlineStart: "-9999px", whiteSpace: "normal" });
  document.body.append(holder);
  event.clipboardData?.setData("text/plain", holder.innerText);
  holder.remove();
  nameCitations(holder, (number) => `[${number}]`);
  event.clipboardData?.setData("text/html", holder.innerHTML);
  event.preventDefault();
}

/** The range with formulas at its edges whole: a part of a drawn formula has no source. */
function wholeFormulas(selected: Range): Range {
  const range = selected.cloneRange();
  const first = formulaAround(range.startContainer);
  const last = formulaAround(range.endContainer);
  if (first != null) range.setStartBefore(first);
  if (last != null) range.setEndAfter(last);
  return range;
}

function formulaAround(node: Node): Element | null | undefined {
  return (node instanceof Element ? node : node.parentElement)?.closest("[data-tex]");
}

/** Formulas become their sources, boxes of tasks `[x]` or `[ ]`; what is no part of the answer goes. */
function makePlain(holder: HTMLElement): void {
  for (const element of holder.querySelectorAll("[data-uncopied]")) element.remove();
  for (const formula of holder.querySelectorAll<HTMLElement>("[data-tex]")) {
    const tex = formula.dataset["tex"] ?? "";
    formula.replaceWith(formula.dataset["display"] === undefined ? `$${tex}$` : displaySource(tex));
  }
  for (const box of holder.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
    box.replaceWith(box.checked || box.hasAttribute("checked") ? "[x] " : "[ ] ");
  }
}

/** A citation is a link in the copied text, too: as Markdown where there is no other way to write one. */
function nameCitations(holder: HTMLElement, name: (number: string, href: string) => string): void {
  for (const link of holder.querySelectorAll<HTMLAnchorElement>("a[data-cites]"))
    link.textContent = name(link.dataset["cites"] ?? "", link.href);
}

function displaySource(tex: string): HTMLElement {
  const block = document.createElement("pre");
  block.textContent = `$$\n${tex}\n$$`;
  return block;
}
