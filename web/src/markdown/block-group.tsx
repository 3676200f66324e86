import {
  cloneElement,
  isValidElement,
  memo,
  useState,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from "react";
import type { Block, ListBlock, PlainBlock, QuoteBlock, TableBlock, Unit } from "./block-model.ts";
import { costOf, costOfRows, heightOf, heightOfRows } from "./block-size.ts";
import { wordsOf, wordsOfUnits } from "./block-words.ts";
import { CodeBlock } from "./code-block.tsx";
import { enterHeading, headingLevel, levelOnPage, type Outline } from "./heading-outline.ts";
import { createKeptElements } from "./kept-elements.ts";
import styles from "./markdown.module.css";
import { numberRoom } from "./number-room.ts";
import { cx } from "../ui/cx.ts";
import { TableFrame } from "./table-frame.tsx";
import { textLanguage } from "./text-language.ts";
import { textDirection } from "./text-direction.ts";
import { blockElements, isTask, listItem, quotation } from "./token-elements.tsx";
import { useNear } from "./use-near.ts";

/** The frame of a table shows some fourteen rows; a cell that changes lays out all rows that are made. */
const rowGroupsAtOnce = 8;

interface BlockGroupProps {
  blocks: readonly Block[];
  /** Levels of the headings above the group, with commas between. */
  above: string;
}

/** A run of blocks; drawn again only when its last one changes. */
export const BlockGroup = memo(function BlockGroup({ blocks, above }: BlockGroupProps) {
  const [elementOf] = useState(createBlockElements);
  let outline: Outline = above === "" ? [] : above.split(",").map(Number);
  return (
    <div className={styles.group}>
      {blocks.map((block, index) => {
        const level = headingLevel(block);
        if (level !== null) outline = enterHeading(outline, level);
        return elementOf(block, level === null ? undefined : levelOnPage(outline), index);
      })}
    </div>
  );
});

function createBlockElements() {
  return createKeptElements((block: Block, level: number | undefined) => (
    <NearBlock key={block.key} block={block} level={level} />
  ));
}

interface NearBlockProps {
  block: Block;
  /** The level of a heading on the page. */
  level: number | undefined;
}

/** A block, or its place with its words where it is far from the screen in a long answer. */
const NearBlock = memo(function NearBlock({ block, level }: NearBlockProps) {
  const { place, isNear } = useNear(
    () => costOf(block),
    null,
    false,
    () => wordsOf(block),
  );
  if (!isNear)
    return (
      <div
        ref={place as RefObject<HTMLDivElement>}
        className={styles.place}
        data-place={block.key}
        style={{ height: heightOf(block) }}
        dir="auto"
      />
    );
  return drawnBlock(block, level);
});

/** A block as it is drawn. `level`: that of a heading on the page. */
export function drawnBlock(block: Block, level?: number): ReactElement {
  switch (block.kind) {
    case "plain":
      return <Plain block={block} level={level} />;
    case "list":
      return <List block={block} />;
    case "quote":
      return <Quote block={block} />;
    case "table":
      return <Table block={block} />;
    case "code":
      return <CodeBlock info={block.info} chunks={block.code.chunks} settled={block.closed} />;
  }
}

const Plain = memo(function Plain({ block, level }: { block: PlainBlock; level: number | undefined }) {
  const { tokens, settled } = block.unit;
  const [element] = blockElements(tokens, settled, level);
  return withProps(element, {
    lang: unitLanguage(block.unit),
    className: block.goesOn ? styles.goesOn : undefined,
  });
});

const List = memo(function List({ block }: { block: ListBlock }) {
  const items = block.items.map((units, index) => <ItemGroup key={index} units={units} />);
  const goesOn = block.begunBy !== null;
  const className = cx(block.tight && styles.tightList, goesOn && styles.goesOn) || undefined;
  const first = block.begunBy ?? block.items[0]?.[0];
  const lang = unitLanguage(first);
  // The mark of a task is no word of it.
  const dir = textDirection(unitWords(first).replace(/^\[[ xX]\]/, ""));
  const count = block.items.reduce((sum, units) => sum + units.length, 0);
  return block.ordered ? (
    <ol
      className={className}
      start={block.start}
      style={numberRoom(block.start, count)}
      lang={lang}
      dir={dir}
    >
      {items}
    </ol>
  ) : (
    <ul className={className} lang={lang} dir={dir}>
      {items}
    </ul>
  );
});

const ItemGroup = memo(function ItemGroup({ units }: { units: readonly Unit[] }) {
  return units.map((unit) => <Item key={unit.key} unit={unit} />);
});

const Item = memo(function Item({ unit }: { unit: Unit }) {
  return listItem(blockElements(unit.tokens.slice(1, -1), unit.settled), isTask(unit.tokens, 0));
});

const Quote = memo(function Quote({ block }: { block: QuoteBlock }) {
  const parts = block.parts.map((units, index) => <PartGroup key={index} units={units} />);
  const direction = textDirection(unitWords(block.begunBy ?? block.parts[0]?.[0]));
  return quotation(block.alert, parts, direction, { goesOn: block.begunBy !== null });
});

const PartGroup = memo(function PartGroup({ units }: { units: readonly Unit[] }) {
  return units.map((unit) => <Part key={unit.key} unit={unit} />);
});

const Part = memo(function Part({ unit }: { unit: Unit }) {
  const [element] = blockElements(unit.tokens, unit.settled);
  return withProps(element, { lang: unitLanguage(unit) });
});

const Table = memo(function Table({ block }: { block: TableBlock }) {
  return (
    <TableFrame lang={unitLanguage(block.head)} dir={textDirection(unitWords(block.head))}>
      <thead>
        <Row unit={block.head} />
      </thead>
      <tbody>
        {block.rows.map((units, index) => (
          <RowGroup key={index} units={units} isFar={index >= rowGroupsAtOnce} />
        ))}
      </tbody>
    </TableFrame>
  );
});

/** Some rows. `isFar`: far below the edge of the table's frame. */
export const RowGroup = memo(function RowGroup({ units, isFar }: { units: readonly Unit[]; isFar: boolean }) {
  const { place, isNear } = useNear(
    () => costOfRows(units),
    isFar ? "always" : "later",
    false,
    () => wordsOfUnits(units),
  );
  if (!isNear)
    return (
      <tr data-place={units[0]?.key}>
        <td className={styles.placeOfRows}>
          <div
            ref={place as RefObject<HTMLDivElement>}
            className={styles.place}
            style={{ height: heightOfRows(units) }}
          />
        </td>
      </tr>
    );
  return units.map((unit) => <Row key={unit.key} unit={unit} />);
});

const Row = memo(function Row({ unit }: { unit: Unit }) {
  return blockElements(unit.tokens, unit.settled);
});

/** The element with those of the properties that there are. */
function withProps(element: ReactNode, props: Record<string, string | undefined>): ReactNode {
  const given = Object.entries(props).filter(([, value]) => value !== undefined);
  if (given.length === 0 || !isValidElement(element) || typeof element.type !== "string") return element;
  return cloneElement(element, Object.fromEntries(given));
}

function unitLanguage(unit: Unit | undefined): string | undefined {
  return textLanguage(unitWords(unit));
}

function unitWords(unit: Unit | undefined): string {
  return unit?.tokens.find((token) => token.type === "inline")?.content ?? "";
}
