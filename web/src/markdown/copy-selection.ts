/** What an answer has that the browser would copy otherwise than it reads. */
const ownParts =
  "[data-tex], [data-uncopied], [data-cites], [data-note-mark], [data-diagram], button, input[type=checkbox]";
/** Parts of a table or list: without what holds them they lose their columns and their numbers. */
const heldParts = "table, thead, tbody, tr, ol, ul";

/** Copies selected text as it reads: without buttons, each formula once. What has none of an answer's parts is left to the browser. */
export function copySelection(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = wholeFormulas(selection.getRangeAt(0));
  const holder = document.createElement("div");
  holder.append(selectedParts(range));
  if (holder.querySelector(ownParts) === null) return;
  makePlain(holder);
  nameCitations(holder, (number, href) => `[${number}](${href})`);
  // Only text that is laid out knows its lines; what the browser leaves out of that has no words.
  Object.assign(holder.style, { position: "fixed", insetInlineStart: "-9999px", whiteSpace: "normal" });
  holder.dataset["copied"] = "";
  document.body.append(holder);
  event.clipboardData?.setData("text/plain", holder.innerText);
  holder.remove();
  nameCitations(holder, (number) => `[${number}]`);
  event.clipboardData?.setData("text/html", holder.innerHTML);
  event.preventDefault();
}

/** A copy of the range; a table or list of which only a part is selected is around that part. */
function selectedParts(range: Range): Node {
  let parts: Node = range.cloneContents();
  let around = elementAt(range.commonAncestorContainer);
  while (around?.matches(heldParts) === true) {
    const held = around.cloneNode(false) as Element;
    if (around instanceof HTMLOListElement) held.setAttribute("start", String(firstNumber(around, range)));
    held.append(parts);
    parts = held;
    around = around.parentElement;
  }
  return parts;
}

/** The number of the first item in the range. */
function firstNumber(list: HTMLOListElement, range: Range): number {
  const before = [...list.children].findIndex((item) => range.intersectsNode(item));
  return list.start + Math.max(before, 0);
}

function elementAt(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
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
  return elementAt(node)?.closest("[data-tex]");
}

/** Formulas and diagrams become their sources, boxes of tasks `[x]` or `[ ]`; what is no part of the answer goes. */
function makePlain(holder: HTMLElement): void {
  for (const element of holder.querySelectorAll("[data-uncopied], button")) element.remove();
  for (const place of holder.querySelectorAll("[data-place]")) place.removeAttribute("style");
  for (const diagram of holder.querySelectorAll<HTMLElement>("[data-diagram]"))
    diagram.replaceWith(
      preformatted(`\`\`\`mermaid\n${diagram.dataset["diagram"]?.trimEnd() ?? ""}\n\`\`\``),
    );
  for (const mark of holder.querySelectorAll("[data-note-mark]")) mark.textContent = `[${mark.textContent}]`;
  // An item of one paragraph is one line.
  for (const words of holder.querySelectorAll("li > p:only-of-type")) words.replaceWith(...words.childNodes);
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
  return preformatted(`$$\n${tex}\n$$`);
}

function preformatted(text: string): HTMLElement {
  const block = document.createElement("pre");
  block.textContent = text;
  return block;
}
