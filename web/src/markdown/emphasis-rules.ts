import type { MarkdownIt, StateInline } from "markdown-it";
import { asian, characterAfter, characterBefore } from "./asian-script.ts";
import { isGrowing } from "./parse-env.ts";

const asterisk = 42;
const underscore = 95;
const tilde = 126;
/** Marks a single `~` among the delimiters, which pairs with its own kind only. */
const singleTilde = 0x10000 + tilde;

/** An inline state that knows which opening signs most likely close nothing, and where those that stay open can close. */
interface JudgedState extends StateInline {
  unlikelyOpeners?: Set<number>;
  /** Of elements that are still open: their signs, and the first token that is kept for those that close them. */
  roomForClosers?: Map<StateInline["delimiters"], number>;
}

/**
 * Emphasis beside Chinese, Japanese and Korean letters, `~one~` as GitHub has it, and emphasis that is still open at
 * the end of a growing text.
 */
export function addEmphasis(md: MarkdownIt): void {
  md.inline.State = class extends md.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const scanned = super.scanDelims(start, canSplitWord);
      if (isGrowing(this)) judgeOpener(this, start, scanned.length);
      return besideAsian(this.src, start, scanned);
    }
  };
  md.inline.ruler.before("strikethrough", "single_strike", singleStrike);
  md.inline.ruler2.after("balance_pairs", "open_emphasis", closeOpenEmphasis);
  md.inline.ruler2.after("open_emphasis", "single_strike", pairSingleStrikes);
}

interface Scanned {
  can_open: boolean;
  can_close: boolean;
  length: number;
}

/** Quotes that Chinese shares with other scripts. */
const openingQuote = /[\u2018\u201c]/;
const closingQuote = /[\u2019\u201d]/;

/**
 * No space parts Chinese letters from the punctuation before them, nor Chinese punctuation from other letters: by
 * CommonMark's rule alone `**重点。**然后`, `**注意：**React` and `React**（推荐）**` would stay as typed. `_` counts too
 * where it stands between Chinese letters only, so `调用__init__方法` keeps its signs.
 */
function besideAsian(text: string, start: number, scanned: Scanned): Scanned {
  if (scanned.can_open && scanned.can_close) return scanned;
  const before = characterBefore(text, start);
  const after = characterAfter(text, start + scanned.length);
  if (/\s/.test(before) || /\s/.test(after)) return scanned;
  const [asianBefore, asianAfter] = [asian.test(before), asian.test(after)];
  if (text.charCodeAt(start) === underscore) {
    const between = asianBefore && asianAfter;
    const alone = scanned.can_open || scanned.can_close;
    return between && !alone ? { ...scanned, can_open: true, can_close: true } : scanned;
  }
  return {
    ...scanned,
    can_open: scanned.can_open || asianBefore || asianAfter || openingQuote.test(after),
    can_close: scanned.can_close || asianAfter || asianBefore || closingQuote.test(before),
  };
}

/** Python's arguments, `*rest, **options`, from behind the first sign and up to the second. */
const argumentPair = /^[a-z_]\w{0,30}(?:,|、|，| ?和| and) ?\*\*[a-z_]\w{0,30}(?![\w*])/;
const firstArgument = /(?<![\w*\\)\]])\*[a-z_]\w{0,30}(?:,|、|，| ?和| and) ?$/;
const longestPair = 80;

/** Signs inside a word (`2*3`) and those of Python's arguments are most likely themselves; `(so)**words**` is bold. */
function judgeOpener(state: JudgedState, start: number, length: number): void {
  const before = state.src.charAt(start - 1);
  const rest = state.src.slice(start + length, start + length + longestPair);
  const isBold = length === 2 && /[)\]]/.test(before) && /^[A-Za-z]/.test(rest);
  const insideWord = /[A-Za-z0-9)\]]/.test(before) && /^[A-Za-z0-9(]/.test(rest) && !isBold;
  const isArgument =
    /^(?:kw)?args\b/.test(rest) ||
    (length === 1 && argumentPair.test(rest)) ||
    (length === 2 &&
      /^[a-z_]\w*(?![\w*])/.test(rest) &&
      firstArgument.test(state.src.slice(Math.max(0, start - longestPair), start)));
  if (!insideWord && length <= 3 && !isArgument) return;
  state.unlikelyOpeners ??= new Set();
  const first = state.tokens.length + (state.pending === "" ? 0 : 1);
  for (let index = 0; index < length; index++) state.unlikelyOpeners.add(first + index);
}

/** Gives emphasis that is open at the end of a growing text, or of an element there, its closing signs. */
function closeOpenEmphasis(state: JudgedState): void {
  if (!isGrowing(state)) return;
  for (const [delimiters, room] of state.roomForClosers ?? []) closeOpen(state, delimiters, room);
  closeOpen(state, state.delimiters, null);
}

type Delimiters = StateInline["delimiters"];

/**
 * Keeps places within an element that is still open for the closing signs of its emphasis, which only the end of the text
 * tells. To be called when all of the element is read.
 */
export function keepRoomForClosers(state: JudgedState): void {
  const { delimiters, tokens } = state;
  const from = tokens.length;
  for (let count = 0; count < delimiters.length; count++) state.push("text", "", 0);
  if (delimiters.length > 0) (state.roomForClosers ??= new Map()).set(delimiters, from);
}

/** `room`: the index of the first token that is kept for a closing sign; null: they come at the end. */
function closeOpen(state: JudgedState, delimiters: Delimiters, room: number | null): void {
  const open: number[] = [];
  let enclosedUntil = -1;
  delimiters.forEach((delimiter, index) => {
    if (delimiter.end >= 0) enclosedUntil = Math.max(enclosedUntil, delimiter.end);
    else if (index > enclosedUntil && delimiter.open && isLikely(state, delimiter)) open.push(index);
  });
  open.toReversed().forEach((index, place) => {
    const opener = delimiters[index];
    if (opener === undefined) return;
    opener.end = delimiters.length;
    const token = room === null ? state.tokens.length : room + place;
    delimiters.push({ ...opener, token, end: -1, open: false, close: true });
    if (room === null) state.tokens.push(new state.Token("text", "", 0));
  });
}

function isLikely(state: JudgedState, { marker, token }: { marker: number; token: number }): boolean {
  if (![asterisk, underscore, tilde, singleTilde].includes(marker)) return false;
  return state.unlikelyOpeners?.has(token) !== true;
}

/** `~one~` strikes through where both signs stand at the edges of words; `10~20` and `~5` stay as they are. */
function singleStrike(state: JudgedState, silent: boolean): boolean {
  const { src, pos } = state;
  if (silent || src.charCodeAt(pos) !== tilde) return false;
  const before = characterBefore(src, pos);
  const after = characterAfter(src, pos + 1);
  if (before === "~" || after === "~") return false;
  const open = !/[\p{L}\p{N}]/u.test(before) && !/\s/.test(after);
  const close = !/[\p{L}\p{N}]/u.test(after) && !/\s/.test(before);
  if (!open && !close) return false;
  state.push("text", "", 0).content = "~";
  const token = state.tokens.length - 1;
  // `~5` and `~/path` mean what they say.
  if (!/\p{L}/u.test(after)) (state.unlikelyOpeners ??= new Set()).add(token);
  state.delimiters.push({ marker: singleTilde, length: 0, token, end: -1, open, close });
  state.pos++;
  return true;
}

function pairSingleStrikes(state: StateInline): void {
  const nested = state.tokens_meta.flatMap((meta) =>
    meta?.delimiters === undefined ? [] : [meta.delimiters],
  );
  for (const delimiters of [state.delimiters, ...nested]) {
    for (const { marker, end, token } of delimiters) {
      if (marker !== singleTilde || end < 0) continue;
      strike(state, token, "s_open", 1);
      strike(state, delimiters[end]?.token ?? token, "s_close", -1);
    }
  }
}

function strike(state: StateInline, index: number, type: string, nesting: 1 | -1): void {
  const token = state.tokens[index];
  if (token !== undefined) Object.assign(token, { type, tag: "s", nesting, markup: "~", content: "" });
}
