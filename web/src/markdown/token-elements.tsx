import { createElement, Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { SafeLinkElement, PictureLink } from "./link-elements.tsx";
import type { Token } from "./markdown-parser.ts";
import type { MathBlockMeta } from "./math-rules.ts";
import { MathFormula } from "./math.tsx";
import styles from "./markdown.module.css";
import { toCodeText } from "./open-fence.ts";
import { TableFrame } from "./table-frame.tsx";
import { TaskBox } from "./task-box.tsx";

interface OpenElement {
  token: Token;
  children: ReactNode[];
}

/**
 * React elements for block tokens. `settled`: the text of these tokens is complete; where it is not, the formula
 * at their very end is shown as source. Everything that is not known here is shown as text, never as markup.
 */
export function blockElements(tokens: readonly Token[], settled: boolean): ReactNode[] {
  const root: ReactNode[] = [];
  const stack: OpenElement[] = [];
  const lastInline = settled ? -1 : tokens.findLastIndex((token) => token.nesting >= 0);
  tokens.forEach((token, index) => {
    const children = stack.at(-1)?.children ?? root;
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      const done = stack.pop();
      if (done !== undefined) (stack.at(-1)?.children ?? root).push(...closeBlock(done, stack.at(-1)));
    } else if (token.type === "inline") {
      children.push(...inlineElements(token.children ?? [], index !== lastInline));
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
      const code = toCodeText(token.content);
      return <CodeBlock key={lineKey(token)} info={token.info} chunks={code.chunks} settled={settled} />;
    }
    case "math_block": {
      const closed = (token.meta as unknown as MathBlockMeta | null)?.closed === true;
      const source = closed ? token.content : `${token.markup}\n${token.content}`;
      return <MathFormula key={lineKey(token)} tex={source} display drawn={closed} />;
    }
    default:
      return token.content;
  }
}

function closeBlock(done: OpenElement, parent: OpenElement | undefined): ReactNode[] {
  const { token, children } = done;
  const key = lineKey(token);
  switch (token.type) {
    case "paragraph_open":
      return [
        createElement(
          "p",
          { key, className: isTightParagraph(token) ? styles.tight : undefined },
          ...children,
        ),
      ];
    case "heading_open":
    case "blockquote_open":
      return [createElement(token.tag, { key }, ...children)];
    case "bullet_list_open":
      return [createElement("ul", { key }, ...children)];
    case "ordered_list_open":
      return [createElement("ol", { key, start: Number(token.attrGet("start") ?? 1) }, ...children)];
    case "list_item_open":
      return [listItem(children, key)];
    case "table_open":
      return [<TableFrame key={key}>{createElement(Fragment, null, ...children)}</TableFrame>];
    case "thead_open":
    case "tbody_open":
    case "tr_open":
      return [createElement(token.tag, { key }, ...children)];
    case "th_open":
    case "td_open":
      return [
        createElement(token.tag, { key: parent?.children.length, className: alignment(token) }, ...children),
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

/** A list item; a first text that begins with `[ ]` or `[x]` becomes a box that shows the state. */
export function listItem(children: readonly ReactNode[], key?: string): ReactElement {
  const task = readTask(children[0]);
  if (task === null) return createElement("li", { key }, ...children);
  return createElement("li", { key, className: styles.taskItem }, task, ...children.slice(1));
}

function readTask(first: ReactNode): ReactElement | null {
  if (!isValidElement<{ children?: ReactNode; className?: string }>(first) || first.type !== "p") return null;
  const { children: inside, className } = first.props;
  const [text, ...others] = Array.isArray(inside) ? (inside as ReactNode[]) : [inside];
  const match = typeof text === "string" ? /^\[([ xX])\]\s/.exec(text) : null;
  if (typeof text !== "string" || match === null) return null;
  const box = createElement(TaskBox, { done: match[1] !== " " });
  return createElement("p", { key: first.key, className }, box, text.slice(match[0].length), ...others);
}

/** React elements for inline tokens; neighbouring texts become one. */
function inlineElements(tokens: readonly Token[], settled: boolean): ReactNode[] {
  const root: ReactNode[] = [];
  const stack: OpenElement[] = [];
  let text = "";
  const into = () => stack.at(-1)?.children ?? root;
  const flush = () => {
    if (text !== "") into().push(text);
    text = "";
  };
  tokens.forEach((token, index) => {
    if (token.type === "text" || token.type === "text_special") {
      text += token.content;
      return;
    }
    flush();
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      const done = stack.pop();
      if (done !== undefined) into().push(closeInline(done));
    } else into().push(leafInline(token, settled || index < tokens.length - 1));
  });
  flush();
  return root;
}

function leafInline(token: Token, drawn: boolean): ReactNode {
  switch (token.type) {
    case "code_inline":
      return createElement("code", null, token.content);
    case "softbreak":
    case "hardbreak":
      return createElement("br");
    case "math_inline":
      return <MathFormula tex={token.content} display={false} drawn={drawn} />;
    case "math_display":
      return <MathFormula tex={token.content} display drawn={drawn} />;
    case "image":
      return (
        <PictureLink target={String(token.attrGet("src") ?? "")}>
          {plainText(token.children ?? [])}
        </PictureLink>
      );
    default:
      return token.content;
  }
}

function closeInline(done: OpenElement): ReactNode {
  const { token, children } = done;
  switch (token.type) {
    case "link_open":
      return createElement(SafeLinkElement, { target: String(token.attrGet("href") ?? "") }, ...children);
    case "strong_open":
    case "em_open":
    case "s_open":
      return createElement(token.tag, null, ...children);
    default:
      return createElement(Fragment, null, ...children);
  }
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (token.children === null ? token.content : plainText(token.children)))
    .join("");
}
