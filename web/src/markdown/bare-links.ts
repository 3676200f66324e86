import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { asian, characterBefore } from "./asian-script.ts";
import { isGrowing } from "./parse-env.ts";

/** Quotes, the long dash and the dots, which Chinese shares with other scripts. */
const sharedPunctuation = /[\u2014\u2018-\u201f\u2026]/u;
const endsLink = new RegExp(
  `[\\s<>\`\\\\|\\u0000-\\u001f]|\\[\\^|${asian.source}|${sharedPunctuation.source}`,
  "u",
);
const longestLink = 2000;
const bareWord = new RegExp(
  `(?<![A-Za-z0-9_@./:+-])(?:www\\.[a-z0-9](?:(?!${endsLink.source}).)*|[a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9-]+(?:\\.[a-z0-9-]+)*\\.[a-z]{2,24}(?![\\p{L}\\p{N}_@-]))`,
  "giu",
);

/**
 * An address that goes on in Chinese, Japanese or Korean up to a space or the end of a sentence: only behind a part of a path that
 * is nothing without a word, since `https://example.com/` may also be followed by what is said of it.
 */
const namedPage =
  /^https?:\/\/[\w.:-]+\/(?:[\w.%-]+\/){0,4}?(?:wiki|item|tags?|category|search)\/(?![!-\u2fff])[\p{L}\p{N}\p{M}_()%#/.・-]+(?=[\s*|<，。、；：！？）」』】》]|[,;:!?](?:\s|$)|$)/iu;

/**
 * Addresses without any sign around them, as GitHub finds them: `http://…`, `https://…`, `www.…` and e-mail. They end
 * before punctuation that ends a sentence, before a footnote, and where Chinese, Japanese or Korean begins, since no space parts
 * `https://example.com，然后`; but not within the name of a page (`https://ja.wikipedia.org/wiki/日本語`) with no such letter
 * before the address. Others can be written between `<` and `>`.
 */
export function addBareLinks(md: MarkdownIt): void {
  md.inline.ruler.after("text", "bare_link", schemeLink);
  md.inline.ruler.before("autolink", "open_autolink", openAutolink);
  md.inline.ruler2.push("bare_words", cutTexts);
}

function schemeLink(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (state.linkLevel > 0 || !src.startsWith("://", pos)) return false;
  const scheme = /(?:^|[^a-z0-9])(https?)$/i.exec(
    silent ? src.slice(Math.max(0, pos - 6), pos) : state.pending,
  )?.[1];
  if (scheme === undefined) return false;
  const start = pos - scheme.length;
  const text = src.slice(start, Math.min(posMax, start + longestLink));
  const isInWords = /\p{L}/u.test(characterBefore(src, start));
  const named = isInWords ? undefined : namedPage.exec(text)?.[0];
  const link = withoutTrail(named ?? text.split(endsLink, 1).join(""));
  if (!/^https?:\/\/[^/?#.:@]/i.test(link)) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    const isOpen = isGrowing(state) && start + link.length === posMax;
    const words = state.md.normalizeLinkText(isOpen ? withoutHalfLetter(link) : link);
    pushLink(state, state.md.normalizeLink(link), words, "linkify");
  }
  state.pos = start + link.length;
  return true;
}

/** An address without the bytes at its end that are not a letter yet: `%E6%BD` is to become one. */
function withoutHalfLetter(link: string): string {
  const bytes = /(?:%[\da-f]{2})*(?:%[\da-f]?)?$/i.exec(link)?.[0] ?? "";
  const before = link.slice(0, link.length - bytes.length);
  let letters = bytes.replace(/%[\da-f]?$/i, "");
  for (let tries = 0; tries < 3 && !isDecodable(letters); tries++) letters = letters.slice(0, -3);
  return before + letters;
}

function isDecodable(bytes: string): boolean {
  try {
    decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
}

function pushLink(state: StateInline, href: string, text: string, markup: string): void {
  Object.assign(state.push("link_open", "a", 1), { attrs: [["href", href]], markup, info: "auto" });
  state.push("text", "", 0).content = text;
  Object.assign(state.push("link_close", "a", -1), { markup, info: "auto" });
}

/** An address in angle brackets whose end has not come. */
function openAutolink(state: StateInline, silent: boolean): boolean {
  if (state.src.charAt(state.pos) !== "<" || !isGrowing(state)) return false;
  const link = state.src.slice(state.pos + 1, state.pos + 1 + longestLink);
  if (!/^https?:\/\/[^\s<>]+$/i.test(link)) return false;
  if (!silent) pushLink(state, state.md.normalizeLink(link), link, "autolink");
  state.pos = state.posMax;
  return true;
}

/** An address without what ends the sentence around it. */
function withoutTrail(link: string): string {
  let end = link.length;
  const surplus = { ")": count(link, ")") - count(link, "("), "]": count(link, "]") - count(link, "[") };
  for (; end > 0; end--) {
    const last = link.charAt(end - 1);
    if (last === ")" || last === "]") {
      if (surplus[last]-- <= 0) break;
    } else if (!/[?!.,:;*_~'"[]/.test(last)) break;
  }
  return link.slice(0, end);
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Cuts texts with `www.` and e-mail addresses in them into links and the rest, in the array that markdown-it keeps. */
function cutTexts(state: StateInline): void {
  const { tokens } = state;
  if (!tokens.some((token) => token.type === "text" && /@|www\./i.test(token.content))) return;
  let linkLevel = 0;
  for (const token of tokens.splice(0)) {
    if (token.type === "link_open") linkLevel++;
    if (token.type === "link_close") linkLevel--;
    if (token.type !== "text" || linkLevel > 0) tokens.push(token);
    else cutText(state, token);
  }
}

function cutText(state: StateInline, { content, level }: Token): void {
  let done = 0;
  const pushText = (end: number) => {
    if (end > done) state.push("text", "", 0).content = content.slice(done, end);
  };
  state.level = level;
  for (const { 0: word, index } of content.matchAll(bareWord)) {
    const isPage = /^www\./i.test(word);
    const link = isPage ? withoutTrail(word) : word;
    if (isPage && !/^www(?:\.[a-z0-9-]+){2}/i.test(link)) continue;
    pushText(index);
    pushLink(state, state.md.normalizeLink((isPage ? "https://" : "mailto:") + link), link, "linkify");
    done = index + link.length;
  }
  pushText(content.length);
}
