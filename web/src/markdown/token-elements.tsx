import {
  cloneElement,
  createElement,
  Fragment,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from "react";
import { AlertNote } from "./alert-note.tsx";
import { alertOf, type AlertKind } from "./block-rules.ts";
import { CodeBlock } from "./code-block.tsx";
import { Footnote } from "./footnote-elements.tsx";
import type { FootnoteMeta } from "./footnote-rules.ts";
import { inlineElements } from "./inline-elements.tsx";
import type { Token } from "./markdown-parser.ts";
import type { MathBlockMeta } from "./block-math.ts";
import { MathFormula } from "./math.tsx";
import styles from "./markdown.module.css";
import { numberRoom } from "./number-room.ts";
import { AddressLink, type AddressLinkProps } from "./link-elements.tsx";
import { LinkCard } from "./link-card.tsx";
import { codeOf } from "./lifted-code.ts";
import { safeLink } from "./safe-link.ts";
import { TableFrame } from "./table-frame.tsx";
import { TaskBox } from "./task-box.tsx";
import { textDirection } from "./text-direction.ts";

interface OpenElement {
  token: Token;
  children: ReactNode[];
  /** A list item that is written as a task. */
  isTask: boolean;
}

/**
 * React elements for block tokens. `settled`: the text of these tokens is complete; where it is not, what stands at
 * their very end may still grow. `level`: that of a heading on the page. Everything that is not known here is shown as text, never as markup.
 */
export function blockElements(tokens: readonly Token[], settled: boolean, level?: number): ReactNode[] {
  const root: ReactNode[] = [];
  const stack: OpenElement[] = [];
  const lastInline = settled ? -1 : tokens.findLastIndex((token) => token.nesting >= 0);
  tokens.forEach((token, index) => {
    const children = stack.at(-1)?.children ?? root;
    if (token.nesting === 1) stack.push({ token, children: [], isTask: isTask(tokens, index) });
    else if (token.nesting === -1) {
      const done = stack.pop();
      if (done !== undefined)
        (stack.at(-1)?.children ?? root).push(...closeBlock(done, stack.at(-1), settled, level));
    } else if (token.type === "inline") {
      children.push(...inlineElements(token.children ?? []));
    } else children.push(leafBlock(token, settled || index !== lastInline));
  });
  return root;
}

function leafBlock(token: Token, settled: boolean): ReactNode {
  switch (token.type) {
    case "hr":
      return createElement("hr", { key: lineKey(token) });
    case "fence":
    case "code_block": {
      const code = codeOf(token);
      return <CodeBlock key={lineKey(token)} info={token.info} chunks={code.chunks} settled={settled} />;
    }
    case "math_block": {
      const { closed } = token.meta as unknown as MathBlockMeta;
      return (
        <MathFormula
          key={lineKey(token)}
          tex={token.content}
          display
          growing={!closed && (settled ? "cut" : true)}
        />
      );
    }
    default:
      return token.content;
  }
}

function closeBlock(
  done: OpenElement,
  parent: OpenElement | undefined,
  settled: boolean,
  level?: number,
): ReactNode[] {
  const { token, children } = done;
  const key = lineKey(token);
  switch (token.type) {
    case "paragraph_open":
      return [
        linkCard(done, settled) ??
          paragraph(children, key, isTightParagraph(token) ? styles.tight : undefined),
      ];
    case "heading_open":
      return [heading(token, children, key, level)];
    case "blockquote_open":
      return [quotation(alertOf(token), children, directionOf(children), { key })];
    case "footnote_open":
      return [
        <Footnote key={key} meta={token.meta as unknown as FootnoteMeta}>
          {createElement(Fragment, null, ...children)}
        </Footnote>,
      ];
    case "bullet_list_open":
      return [createElement("ul", { key, dir: directionOf(children) }, ...children)];
    case "ordered_list_open": {
      const start = Number(token.attrGet("start") ?? 1);
      return [
        createElement(
          "ol",
          { key, dir: directionOf(children), start, style: numberRoom(start, children.length) },
          ...children,
        ),
      ];
    }
    case "list_item_open":
      return [listItem(children, done.isTask, key)];
    case "table_open":
      return [<TableFrame key={key}>{createElement(Fragment, null, ...children)}</TableFrame>];
    case "thead_open":
    case "tbody_open":
    case "tr_open":
      return [createElement(token.tag, { key }, ...children)];
    case "th_open":
    case "td_open":
      return [
        createElement(
          token.tag,
          { key: parent?.children.length, className: alignment(token), dir: "auto" },
          ...children,
        ),
      ];
    default:
      return children;
  }
}

/** Whether a list is tight shows on a top-level list (level 0) as a whole, on an inner list at its paragraphs. */
function isTightParagraph(token: Token): boolean {
  return token.hidden && token.level !== 2;
}

/** Blocks of one parent begin on lines of their own; the number serves where siblings come and go. */
function lineKey(token: Token): string {
  return `${token.type}${token.map?.[0] ?? 0}`;
}

function alignment(token: Token): string | undefined {
  const style = token.attrGet("style");
  if (style === "text-align:center") return styles.center;
  return style === "text-align:right" ? styles.right : undefined;
}

/** A heading; `level` is that on the page, where it is known. One in a list or quotation is one below its own. */
function heading(token: Token, children: readonly ReactNode[], key: string, level?: number): ReactElement {
  const written = Number(token.tag.slice(1));
  const props = { key, dir: "auto", "data-level": written };
  return createElement(`h${level ?? Math.min(written + 1, 6)}`, props, ...children);
}

function paragraph(children: readonly ReactNode[], key: string | null, className?: string): ReactElement {
  return createElement("p", { key, className, dir: "auto" }, ...children);
}

/** A paragraph of the text itself that is nothing but a bare link. */
function linkCard({ token, children }: OpenElement, settled: boolean): ReactElement | null {
  const [only, ...others] = children;
  if (token.level > 0 || others.length > 0 || !isValidElement<AddressLinkProps>(only)) return null;
  const link = only.type === AddressLink && only.props.isBare === true ? safeLink(only.props.target) : null;
  return link === null
    ? null
    : createElement(LinkCard, { key: lineKey(token), link, settled }, only.props.children);
}

/** The first paragraph of an item has the item's own direction: an element that has one hides its words from the item. */
function withoutDirection(node: ReactNode): ReactNode {
  if (!isValidElement<{ dir?: string | undefined }>(node) || node.type !== "p") return node;
  return cloneElement(node, { dir: undefined });
}

/** A quotation, or the note it is marked as. `goesOn`: with that right above it. */
export function quotation(
  alert: AlertKind | null,
  children: readonly ReactNode[],
  dir: "rtl" | undefined,
  { key, goesOn = false }: { key?: string; goesOn?: boolean },
): ReactElement {
  if (alert !== null) return createElement(AlertNote, { kind: alert, goesOn, dir, key }, ...children);
  return createElement(
    "blockquote",
    { key, dir, className: goesOn ? styles.goesOn : undefined },
    ...children,
  );
}

/** The direction of the first words in drawn children. */
function directionOf(children: readonly ReactNode[]): "rtl" | undefined {
  return textDirection(wordsOf(children));
}

function wordsOf(node: ReactNode | readonly ReactNode[]): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return (node as ReactNode[]).slice(0, 3).map(wordsOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? wordsOf(node.props.children) : "";
}

/** Whether the first words of the list item that opens at `index` begin with `[ ]` or `[x]`, as written: `\\[ ]` is text. */
export function isTask(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.type !== "list_item_open" || tokens[index + 1]?.type !== "paragraph_open") return false;
  return /^\[[ xX]\]\s/.test(tokens[index + 2]?.content ?? "");
}

/** A list item; the sign of a task becomes a box that shows its state. */
export function listItem(children: readonly ReactNode[], mayBeTask: boolean, key?: string): ReactElement {
  const task = mayBeTask ? readTask(children[0]) : null;
  if (task === null)
    return createElement("li", { key, dir: "auto" }, withoutDirection(children[0]), ...children.slice(1));
  return createElement(
    "li",
    { key, dir: "auto", className: styles.taskItem },
    withoutDirection(task),
    ...children.slice(1),
  );
}

function readTask(first: ReactNode): ReactElement | null {
  if (!isValidElement<{ children?: ReactNode; className?: string }>(first) || first.type !== "p") return null;
  const { children: inside, className } = first.props;
  const [text, ...others] = Array.isArray(inside) ? (inside as ReactNode[]) : [inside];
  const match = typeof text === "string" ? /^\[([ xX])\]\s/.exec(text) : null;
  if (typeof text !== "string" || match === null) return null;
  const box = createElement(TaskBox, { done: match[1] !== " " });
  return paragraph([box, text.slice(match[0].length), ...others], first.key, className);
}
