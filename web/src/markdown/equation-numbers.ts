import { plainName } from "./formula-options.ts";
import styles from "./markdown.module.css";

/** What is drawn for a formula's number, or for one written by hand, and what names the number of another formula. */
const numbered = ".katex-tag, [data-ref], [data-eqref]";
const rowsOfTag = ":scope > .vlist-t > .vlist-r:first-child > .vlist > span";

/** Drawn since the numbers were last looked through. */
const drawnSince = new Set<HTMLElement>();

/** The names that `\label` gives to the rows of a formula, in their places. */
export function labelsOf(tex: string): string[] {
  const labels: string[] = [];
  const hasRows = /^\s*\\begin\b/.test(tex);
  let row = 0;
  let depth = 0;
  for (const [sign, name] of tex.matchAll(
    /\\label\s*\{([^{}]*)\}|\\(?:begin|end)(?![A-Za-z])|\\\\|\\.|[{}]/gs,
  )) {
    if (name !== undefined) labels[row] ??= plainName(name);
    else if (sign === "{" || sign === "\\begin") depth++;
    else if (sign === "}" || sign === "\\end") depth--;
    else if (sign === "\\\\" && hasRows && depth === 1) row++;
  }
  return labels;
}

/** Notes at a drawing which of its rows has which name, and where it names other formulas for those who hear it. */
export function noteNames(drawn: HTMLElement, tex: string): void {
  if (tex.includes("\\label")) {
    const rows = tagRows(drawn);
    labelsOf(tex).forEach((label, row) => {
      const tag = rows[row];
      if (tag !== undefined) tag.dataset["label"] = label;
    });
  }
  const refs = drawn.querySelectorAll<HTMLElement>("[data-ref], [data-eqref]");
  if (refs.length === 0) return;
  const heard = new Map<string, MathMLElement[]>();
  for (const words of [...drawn.querySelectorAll("mtext")].reverse()) {
    const alike = heard.get(words.textContent);
    if (alike === undefined) heard.set(words.textContent, [words]);
    else alike.push(words);
  }
  for (const { textContent, dataset } of refs) {
    const same = heard.get(textContent)?.pop();
    if (same !== undefined) Object.assign(same.dataset, dataset);
  }
}

/** Gives the formulas of the answer in which this one will stand their numbers, once it stands there. */
export function numberSoon(drawn: HTMLElement): void {
  if (drawn.querySelector(numbered) === null) return;
  drawnSince.add(drawn);
  if (drawnSince.size === 1) queueMicrotask(numberAll);
}

function numberAll(): void {
  const answers = new Set([...drawnSince].map((drawn) => drawn.closest<HTMLElement>(`.${styles.markdown}`)));
  drawnSince.clear();
  // Of a long answer not all parts are here: it has no numbers.
  for (const answer of answers) if (answer !== null && answer.dataset["long"] === undefined) number(answer);
}

/**
 * Ours count past those written by hand, so that none is there twice; `\ref` and `\eqref` tell the number of the formula that
 * they name.
 */
function number(answer: HTMLElement): void {
  const rows = tagRows(answer);
  const byHand = new Set(rows.filter((row) => !isOurs(row)).map(writtenNumber));
  const heard = answer.querySelectorAll<HTMLElement>(".mml-eqn-num");
  const numbers = new Map<string, string>();
  let count = 0;
  let last = 0;
  for (const row of rows) {
    const ours = isOurs(row);
    if (ours) {
      let step = 1;
      while (byHand.has(String(last + step))) step++;
      last += step;
      for (const place of [row, heard[count]]) place?.style.setProperty("--step", String(step));
      count++;
    }
    const { label } = row.dataset;
    if (label !== undefined && !numbers.has(label))
      numbers.set(label, ours ? String(last) : writtenNumber(row));
  }
  for (const ref of answer.querySelectorAll<HTMLElement>("[data-ref], [data-eqref]")) {
    const { ref: bare, eqref } = ref.dataset;
    const found = numbers.get(bare ?? eqref ?? "");
    const words = bare === undefined ? `(${found})` : found;
    if (found !== undefined && ref.textContent !== words) ref.textContent = words ?? "";
  }
}

/** Of each formula with a number its rows, of which some have none; the number alone where it has no rows. */
function tagRows(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(".katex-tag")].flatMap((tag) => {
    const rows = [...tag.querySelectorAll<HTMLElement>(rowsOfTag)];
    return rows.length > 0 ? rows : [tag];
  });
}

function isOurs(row: HTMLElement): boolean {
  return row.querySelector(".eqn-num") !== null;
}

function writtenNumber(row: HTMLElement): string {
  return row.textContent.replace(/[\s\u200b()]/g, "");
}
