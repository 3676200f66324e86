import { createElement, Fragment, type ReactNode } from "react";
import type { CitationMeta } from "./citation-rule.ts";
import { Citation } from "./citation.tsx";
import { FootnoteReference } from "./footnote-elements.tsx";
import type { FootnoteMeta } from "./footnote-rules.ts";
import type { InlineMathMeta } from "./inline-math.ts";
import { AddressLink, PictureLink } from "./link-elements.tsx";
import type { PictureMeta } from "./open-link-rule.ts";
import { textParts, FurtherText } from "./long-text.tsx";
import type { Token } from "./markdown-parser.ts";
import { MathFormula } from "./math.tsx";

interface OpenElement {
  token: Token;
  children: ReactNode[];
}

/** React elements for inline tokens; neighbouring texts become one, and a very long one becomes some. */
export function inlineElements(tokens: readonly Token[]): ReactNode[] {
  const root: ReactNode[] = [];
  const stack: OpenElement[] = [];
  let text = "";
  const into = () => stack.at(-1)?.children ?? root;
  const flush = () => {
    if (text !== "") into().push(...textNodes(text));
    text = "";
  };
  for (const token of tokens) {
    if (token.type === "text" || token.type === "text_special") {
      text += token.content;
      continue;
    }
    flush();
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      const done = stack.pop();
      if (done !== undefined) into().push(closeInline(done));
    } else
      into().push(
        leafInline(
          token,
          stack.some(({ token: { type } }) => type === "link_open"),
        ),
      );
  }
  flush();
  return root;
}

function textNodes(text: string): ReactNode[] {
  const [first, ...further] = textParts(text);
  return further.length === 0 ? [first] : [first, <FurtherText parts={further} />];
}

function leafInline(token: Token, isInLink: boolean): ReactNode {
  switch (token.type) {
    case "code_inline":
      return createElement("code", { dir: "auto" }, token.content);
    case "softbreak":
    case "hardbreak":
      return createElement("br");
    case "math_inline":
    case "math_display": {
      const growing = (token.meta as InlineMathMeta | null)?.open ?? false;
      return <MathFormula tex={token.content} display={token.type === "math_display"} growing={growing} />;
    }
    case "footnote_ref":
      return <FootnoteReference meta={token.meta as unknown as FootnoteMeta} />;
    case "citation":
      return <Citation {...(token.meta as unknown as CitationMeta)} isInLink={isInLink} />;
    case "image":
      return (
        <PictureLink
          target={String(token.attrGet("src") ?? "")}
          isInLink={isInLink || (token.meta as PictureMeta | null) !== null}
        >
          {plainText(token.children ?? [])}
        </PictureLink>
      );
    default:
      return token.content;
  }
}

function closeInline({ token, children }: OpenElement): ReactNode {
  switch (token.type) {
    case "link_open":
      return createElement(
        AddressLink,
        { target: String(token.attrGet("href") ?? ""), isBare: token.info === "auto" },
        ...children,
      );
    case "strong_open":
    case "em_open":
    case "s_open":
    case "tag_open":
      return createElement(token.tag, null, ...children);
    default:
      return createElement(Fragment, null, ...children);
  }
}

/** The words of a picture; its lines are parted by spaces. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "softbreak" || token.type === "hardbreak") return " ";
      return token.children === null ? token.content : plainText(token.children);
    })
    .join("");
}
