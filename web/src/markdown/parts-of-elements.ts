import { isValidElement, type ReactNode } from "react";
import { AlertNote, type AlertNoteProps } from "./alert-note.tsx";
import { drawnBlock, RowGroup } from "./block-group.tsx";
import type { Block, Unit } from "./block-model.ts";
import { Citation } from "./citation.tsx";
import type { CitationMeta } from "./citation-rule.ts";
import type { CitedSources } from "./cited-sources.ts";
import { CodeFrame, type CodeFrameProps } from "./code-frame.tsx";
import {
  copiedCitation,
  copiedDiagram,
  copiedElement,
  copiedFormula,
  copiedMark,
  copiedNote,
  copiedTask,
  type CopiedPart,
} from "./copied-parts.ts";
import { Footnote, FootnoteReference } from "./footnote-elements.tsx";
import { footnoteName } from "./footnote-order.ts";
import type { FootnoteMeta } from "./footnote-rules.ts";
import { PictureLink, pictureLink, type PictureLinkProps } from "./link-elements.tsx";
import { FurtherText } from "./long-text.tsx";
import type { MarkdownLabels } from "./markdown-labels.ts";
import { MathFormula, type MathFormulaProps } from "./math.tsx";
import styles from "./markdown.module.css";
import { MermaidPart } from "./mermaid-part.tsx";
import { safeLink } from "./safe-link.ts";
import { TableFrame } from "./table-frame.tsx";
import { TaskBox } from "./task-box.tsx";
import { blockElements } from "./token-elements.tsx";

/** What the blocks of a text are drawn with. */
export interface Drawing {
  labels: MarkdownLabels;
  sources: CitedSources;
  footnoteOrder: string;
}

type Props = Record<string, unknown> & {
  children?: ReactNode;
  className?: string | undefined;
  "data-level"?: number;
};
type Parts = readonly CopiedPart[];

/** What is copied of a block, without drawing it. */
export function partsOfBlock(block: Block, drawing: Drawing): Parts {
  return partsOf(drawnBlock(block), drawing);
}

/** What is copied of rows of a table, without drawing them. */
export function partsOfRows(units: readonly Unit[], drawing: Drawing): Parts {
  return partsOf(
    units.map((unit) => blockElements(unit.tokens, unit.settled)),
    drawing,
  );
}

function partsOf(node: ReactNode, drawing: Drawing): Parts {
  if (typeof node === "string") return node === "" ? [] : [node];
  if (typeof node === "number") return [String(node)];
  if (Array.isArray(node)) return (node as ReactNode[]).flatMap((each) => partsOf(each, drawing));
  if (!isValidElement<Props>(node)) return [];
  const { type, props } = node;
  if (typeof type === "string") return partsOfElement(type, props, partsOf(props.children, drawing));
  const component = componentOf(type);
  if (component === null) return partsOf(props.children, drawing);
  return withHooks.get(component)?.(props, drawing) ?? partsOf(component(props), drawing);
}

function partsOfElement(type: string, props: Props, children: Parts): Parts {
  const { href, start, dir } = props;
  return copiedElement(headingTag(type, props["data-level"]), children, {
    isOnLines: type === "div",
    href: typeof href === "string" ? href : undefined,
    start: typeof start === "number" && start !== 1 ? start : undefined,
    dir: dir === "rtl" ? dir : undefined,
    ...(goesOn(props.className) && { goesOn: true }),
  });
}

/** Whether a class says that an element is one with that above it. */
export function goesOn(className = ""): boolean {
  return className.split(" ").includes(styles.goesOn ?? "");
}

/** A heading is copied at the level it is written at: that of the page has others above it. */
export function headingTag(tag: string, level: string | number | null = null): string {
  return level === null ? tag : `h${level}`;
}

type Component = (props: Props) => ReactNode;

/** The function that draws an element; none of a fragment. */
function componentOf(type: unknown): Component | null {
  const inner = typeof type === "object" && type !== null ? (type as { type?: unknown }).type : type;
  return typeof inner === "function" ? (inner as Component) : null;
}

/** The components that cannot be called outside of a page, since they use its state: what is copied of each. */
const withHooks = new Map<unknown, (props: Props, drawing: Drawing) => Parts>();

function teach<P>(component: (props: P) => ReactNode, copy: (props: P, drawing: Drawing) => Parts): void {
  withHooks.set(component, copy as never);
}

teach(RowGroup.type, ({ units }, drawing) => partsOfRows(units, drawing));
teach(TableFrame, ({ children }, drawing) => copiedElement("table", partsOf(children, drawing)));
teach(TaskBox, ({ done }) => [copiedTask(done)]);
teach(MathFormula, ({ tex, display }: MathFormulaProps) => [copiedFormula(tex, display)]);
teach(FurtherText, ({ parts }) => parts);
teach(FootnoteReference, ({ meta }: { meta: FootnoteMeta }, { footnoteOrder }) => [
  { tag: "sup", children: [copiedMark(footnoteName(meta, footnoteOrder))] },
]);
teach(Footnote, ({ meta, children }: { meta: FootnoteMeta; children?: ReactNode }, drawing) => [
  copiedNote(footnoteName(meta, drawing.footnoteOrder), partsOf(children, drawing)),
]);
teach(PictureLink, (props: PictureLinkProps, drawing) =>
  partsOf(pictureLink(props, drawing.labels.picture), drawing),
);
teach(AlertNote, ({ kind, goesOn: isRest, children }: AlertNoteProps, drawing) => [
  ...copiedElement("p", isRest ? [] : [drawing.labels.alerts[kind]]),
  ...partsOf(children, drawing),
]);
teach(CodeFrame, ({ chunks }: CodeFrameProps) => codeParts(chunks));
teach(MermaidPart, ({ chunks, settled }) => (settled ? [copiedDiagram(chunks.join(""))] : codeParts(chunks)));
teach(Citation, ({ numbers, before, isInLink }: CitationMeta & { isInLink: boolean }, { sources }) => {
  const known = numbers.filter((number) => sources.has(number));
  if (known.length === 0) return [];
  const links = known.flatMap((number) => {
    const link = isInLink ? null : safeLink(sources.get(number)?.url ?? "");
    return link === null ? [] : [copiedCitation(String(number), link.href)];
  });
  return before === "" ? links : [before, ...links];
});

function codeParts(chunks: readonly string[]): Parts {
  const code = chunks.join("");
  return copiedElement("pre", copiedElement("code", code === "" ? [] : [code]));
}
