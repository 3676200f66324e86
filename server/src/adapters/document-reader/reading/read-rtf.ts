// RTF: its text, with characters written by number (\u), by the code page of the document or of the font.
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import { rtfTokens } from "./rtf-tokens.ts";
import { shownIn, symbolOf } from "./symbol-fonts.ts";
import type { TextSink } from "./text-sink.ts";
import { requireMark } from "./type-marks.ts";

/** Groups that hold no text of the document. */
const destinations = new Set(
  (
    "fonttbl colortbl stylesheet info pict object themedata colorschememapping latentstyles datastore listtable " +
    "listoverridetable rsidtbl generator fldinst xmlnstbl filetbl revtbl header headerl headerr headerf footer footerl " +
    "footerr footerf nonshppict mmathPr xe tc tcn"
  ).split(" "),
);

const words: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  row: "\n",
  tab: "\t",
  cell: "\t",
  nestcell: "\t",
  nestrow: "\n",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
  "~": "\u{a0}",
  _: "-",
  "{": "{",
  "}": "}",
  "\\": "\\",
  "\n": "\n",
  "\r": "\n",
};

/** Character sets of fonts whose texts are not in the code page of the document. */
const encodingOfCharset: Readonly<Record<number, string>> = {
  128: "shift_jis",
  129: "euc-kr",
  134: "gbk",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};
const encodingOfCodePage: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  874: "windows-874",
  65001: "utf-8",
};

const charsetOfSymbols = 2;

interface Group {
  isHidden: boolean;
  /** Taken out while changes are tracked. */
  isDeleted: boolean;
  /** It says all of a drawing, and its words are shown. */
  isDrawing: boolean;
  /** What stands behind its text. */
  ends: string;
  inFonts: boolean;
  encoding: string;
  /** The font of symbols that its text is in; "" for others. */
  symbols: string;
  /** Bytes that stand after \u for readers that do not know it. */
  skip: number;
}

const deepest = 2000;

export function readRtf(input: InputFile, sink: TextSink): void {
  requireMark(input, "rtf");
  const fonts = new Map<number, string>();
  // By number: those whose characters are none of Unicode's, and their names.
  const symbolFonts = new Map<number, string>();
  const groups: Group[] = [];
  let group: Group = {
    isHidden: false,
    isDeleted: false,
    isDrawing: false,
    ends: "",
    inFonts: false,
    encoding: "windows-1252",
    symbols: "",
    skip: 1,
  };
  let base = group.encoding;
  let font = 0;
  let toSkip = 0;
  // Bytes of one text in one encoding: a character of two bytes may be written as two tokens.
  let waiting: Buffer[] = [];
  let starts = false;

  const isSilent = (): boolean => group.isHidden || group.isDeleted;
  const isAroundHidden = (): boolean => groups.at(-1)?.isHidden ?? false;
  const flush = (): void => {
    if (waiting.length > 0) {
      const bytes = Buffer.concat(waiting);
      const { symbols } = group;
      sink.write(
        symbols === ""
          ? new TextDecoder(group.encoding).decode(bytes)
          : Array.from(bytes, (byte) => symbolOf(symbols, byte)).join(""),
      );
    }
    waiting = [];
  };
  const put = (text: string): void => {
    flush();
    if (!isSilent()) sink.write(text);
  };

  for (const token of rtfTokens(input.readAll())) {
    if (token.kind === "open") {
      flush();
      if (groups.length >= deepest) throw new ReadingError(40_007, "nested too deep");
      groups.push(group);
      group = { ...group, ends: "" };
      starts = true;
      continue;
    }
    if (token.kind === "close") {
      put(group.ends);
      group = groups.pop() ?? group;
      toSkip = 0;
    } else if (token.kind === "bytes") {
      const bytes = token.bytes.subarray(Math.min(toSkip, token.bytes.length));
      toSkip -= token.bytes.length - bytes.length;
      if (group.inFonts && symbolFonts.get(font) === "") nameFont(bytes.toString("latin1"));
      if (!isSilent() && bytes.length > 0) waiting.push(bytes);
    } else readWord(token.name, token.value);
    starts = false;
  }
  if (groups.length > 0) throw new ReadingError(40_003, "cut short");
  flush();

  function nameFont(text: string): void {
    symbolFonts.set(font, text.replace(/;.*$/s, "").trim());
  }

  function readWord(name: string, value: number | null): void {
    if (name === "*" && starts) {
      group.isHidden = true;
      // Of a font, its looks or other names.
      group.inFonts = false;
    } else if (destinations.has(name)) {
      group.isHidden = true;
      group.inFonts = name === "fonttbl";
    } else if (name === "footnote") {
      // It stands in the middle of its sentence, for some programs as what may be passed over.
      flush();
      group.isHidden = isAroundHidden();
      put(" [");
      group.ends = "]";
    } else if (name === "shpinst") group.isDrawing = !isAroundHidden();
    else if (name === "shptxt" && group.isDrawing) {
      flush();
      group.isHidden = false;
      put("\n");
      group.ends = "\n";
    } else if (name === "deleted") {
      flush();
      group.isDeleted = value !== 0;
    } else if (name === "plain") {
      flush();
      group.isDeleted = false;
      group.symbols = "";
    } else if (name === "u" && value !== null) {
      put(shownIn(group.symbols, String.fromCharCode(value & 0xffff)));
      toSkip = group.skip;
    } else if (name === "uc") group.skip = Math.max(0, Math.min(16, value ?? 1));
    else if (name === "ansicpg") base = group.encoding = encodingOfCodePageNumber(value ?? 1252);
    else if (name === "f" && value !== null) {
      flush();
      font = value;
      if (group.inFonts) return;
      group.encoding = fonts.get(value) ?? base;
      group.symbols = symbolFonts.get(value) ?? "";
    } else if (name === "fcharset" && group.inFonts) {
      if (value === charsetOfSymbols) symbolFonts.set(font, "");
      const encoding = encodingOfCharset[value ?? 0];
      if (encoding !== undefined) fonts.set(font, encoding);
    } else if (Object.hasOwn(words, name)) put(words[name] ?? "");
  }
}

function encodingOfCodePageNumber(page: number): string {
  return encodingOfCodePage[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
}
