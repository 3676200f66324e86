import { expect } from "vitest";
import type { Block, Unit } from "../block-model.ts";
import type { Grouped } from "../grouped-list.ts";
import { codeOf } from "../lifted-code.ts";
import { createParser, type Token } from "../markdown-parser.ts";
import { append, emptySplit, finish, type SplitState } from "../split-blocks.ts";

/** A parser of its own, which draws HTML. */
export const whole = createParser();

function feed(pieces: readonly string[]): SplitState {
  return pieces.reduce(append, emptySplit);
}

/** All members of a grouped list. */
export function flat<T>(grouped: Grouped<T>): T[] {
  return grouped.flat();
}

/** One line per token: what was parsed, without inline children, tightness or line numbers. */
function outline(tokens: readonly Token[]): string[] {
  return tokens
    .filter((token) => token.type !== "reference_definition")
    .map((token) => JSON.stringify([token.type, token.tag, token.info, token.content, token.attrs]));
}

/** The tokens of units; code that was lifted from the text stands in its token again. */
function unitTokens(units: readonly Unit[]): Token[] {
  return units.flatMap((unit) =>
    unit.tokens.map((token) =>
      token.type === "fence"
        ? Object.assign(newToken(token.type, token.tag, 0), token, { content: codeOf(token).chunks.join("") })
        : token,
    ),
  );
}

/** The tokens of a block as a full parse would give them; `open` leaves the end of a container away. */
function tokensOf(block: Block, open = false): Token[] {
  switch (block.kind) {
    case "plain":
      return unitTokens([block.unit]);
    case "quote": {
      const opener = newToken("blockquote_open", "blockquote", 1);
      const parts = unitTokens(flat(block.parts));
      return [opener, ...parts, ...(open ? [] : [newToken("blockquote_close", "blockquote", -1)])];
    }
    case "code": {
      const token = newToken("fence", "code", 0);
      token.info = block.info;
      token.content = block.code.chunks.join("");
      return [token];
    }
    case "list": {
      const [type, tag] = block.ordered ? ["ordered_list", "ol"] : ["bullet_list", "ul"];
      const first = newToken(`${type}_open`, tag ?? "", 1);
      if (block.ordered && block.start !== 1) first.attrs = [["start", block.start]];
      const items = unitTokens(flat(block.items)).map((token) => {
        const isParagraph = token.level === 2 && token.type.startsWith("paragraph_");
        const copy = Object.assign(newToken(token.type, token.tag, token.nesting), token);
        return isParagraph ? Object.assign(copy, { hidden: block.tight }) : copy;
      });
      return [first, ...items, ...(open ? [] : [newToken(`${type}_close`, tag ?? "", -1)])];
    }
    case "table": {
      const rows = unitTokens(flat(block.rows));
      const body =
        rows.length === 0
          ? []
          : [
              newToken("tbody_open", "tbody", 1),
              ...rows,
              ...(open ? [] : [newToken("tbody_close", "tbody", -1)]),
            ];
      return [
        newToken("table_open", "table", 1),
        newToken("thead_open", "thead", 1),
        ...block.head.tokens,
        newToken("thead_close", "thead", -1),
        ...body,
        ...(open ? [] : [newToken("table_close", "table", -1)]),
      ];
    }
  }
}

function newToken(type: string, tag: string, nesting: -1 | 0 | 1): Token {
  const token = new new whole.core.State("", whole, {}).Token(type, tag, nesting);
  token.block = true;
  return token;
}

/** The blocks with those that go on with one above them joined to it. */
function joined(blocks: readonly Block[]): Block[] {
  const whole: Block[] = [];
  for (const block of blocks) {
    const above = whole.at(-1);
    if (block.kind === "list" && block.begunBy !== null && above?.kind === "list")
      whole[whole.length - 1] = { ...above, tight: block.tight, items: [...above.items, ...block.items] };
    else if (block.kind === "quote" && block.begunBy !== null && above?.kind === "quote")
      whole[whole.length - 1] = { ...above, parts: [...above.parts, ...block.parts] };
    else whole.push(block);
  }
  return whole;
}

/** HTML as markdown-it draws it, with formulas and notes in elements of their own. */
export function html(tokens: Token[]): string {
  return whole.renderer.render(tokens, whole.options as Required<typeof whole.options>, {});
}

whole.renderer.rules["text_special"] = (tokens, index) =>
  whole.utils.escapeHtml(tokens[index]?.content ?? "");
whole.renderer.rules["math_inline"] = (tokens, index) => `<m>${tokens[index]?.content ?? ""}</m>`;
whole.renderer.rules["math_display"] = (tokens, index) => `<mm>${tokens[index]?.content ?? ""}</mm>`;
whole.renderer.rules["math_block"] = (tokens, index) =>
  `<M ${JSON.stringify(tokens[index]?.meta)}>${tokens[index]?.content ?? ""}</M>`;

/** Expects that the text in these pieces ends as one parse of it. */
export function expectSameAsWhole(text: string, pieces: readonly string[]): void {
  const expected = whole.parse(text, {});
  const blocks = joined(flat(finish(feed(pieces)).blocks));
  const given = blocks.flatMap((block) => tokensOf(block));
  expect(html(given)).toBe(html(expected));
  expect(outline(given)).toEqual(outline(expected));
}

/** Expects that the text in these pieces ends as it does in one: the same blocks at the same places. */
export function expectSameAsUncut(text: string, pieces: readonly string[]): void {
  const told = (parts: readonly string[]) =>
    flat(finish(feed(parts)).blocks).map((block) => ({
      key: block.key,
      goesOn: "goesOn" in block ? block.goesOn : "begunBy" in block && block.begunBy?.key,
      tokens: outline(tokensOf(block)),
      drawn: html(tokensOf(block)),
    }));
  expect(told(pieces)).toEqual(told([text]));
}

/** Expects of a text of one paragraph that its parts, with a break between two, are one parse of it. */
export function expectPartsOfParagraph(text: string): void {
  const inside = (markup: string) => markup.replace(/^<p>|<\/p>\n$/g, "").replaceAll("<br>\n", "\n");
  const blocks = flat(finish(feed([text])).blocks);
  expect(blocks.length).toBeGreaterThanOrEqual(Math.floor(text.length / 4500));
  const drawn = blocks.map((block) => inside(html(tokensOf(block)))).join("\n");
  expect(drawn).toBe(inside(html(whole.parse(text, {}))));
}

/** The text in pieces of these sizes, over and over. */
export function cutText(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const size = sizes[pieces.length % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** Expects that what is closed at every cut is the beginning of one parse of the whole text. */
export function expectClosedIsPrefix(text: string): void {
  const expected = outline(whole.parse(text, {}));
  let state = emptySplit;
  for (const character of Array.from({ length: text.length }, (_, index) => text.charAt(index))) {
    state = append(state, character);
    const closed = outline(flat(state.blocks).flatMap((block) => tokensOf(block)));
    const started =
      state.open === null || !("block" in state.open) ? [] : outline(tokensOf(state.open.block, true));
    const soFar = [...closed, ...started];
    expect(expected.slice(0, soFar.length)).toEqual(soFar);
  }
}
