// The numbers that Word counts before paragraphs: no text of the document holds them.
import { listNumber } from "./list-numbers.ts";
import { attribute, readXml } from "./xml-parts.ts";
import type { ZipArchive } from "./zip-archive.ts";

interface Level {
  format: string;
  /** "%1.%2": where the numbers of this and of higher levels stand. */
  text: string;
  start: number;
  /** Levels above this one begin it anew; null: all of them. */
  restart: number | null;
  /** All its numbers are in digits. */
  isLegal: boolean;
  suffix: string;
  /** Paragraphs of this style are of this level. */
  style: string | null;
}

interface List {
  levels: Map<number, Level>;
  /** Its levels are those of the list that this style has. */
  styleLink: string | null;
}

/** One use of a list; what it says of a level goes before what the list does. */
interface Use {
  list: string;
  starts: Map<number, number>;
  levels: Map<number, Level>;
}

/** What a paragraph, or a style, says of its number. */
export interface NumberOf {
  /** The number of a use; "0" for none; null where nothing is said. */
  use: string | null;
  level: number | null;
}

interface Style extends NumberOf {
  basedOn: string | null;
}

/** As many as Word has: each paragraph may look at all of them. */
const mostLevels = 9;
const levelName = /^[0-8]$/;
const deepestStyles = 20;

export class DocxNumbering {
  readonly #lists = new Map<string, List>();
  readonly #uses = new Map<string, Use>();
  readonly #styles = new Map<string, Style>();
  /** By list: the last number of each level. */
  readonly #counts = new Map<List, (number | undefined)[]>();
  readonly #begun = new Set<string>();

  /** `numbering` and `styles`: names of parts, undefined where there are none. */
  static async read(
    archive: ZipArchive,
    { numbering, styles }: { numbering: string | undefined; styles: string | undefined },
  ): Promise<DocxNumbering> {
    const all = new DocxNumbering();
    if (numbering === undefined) return all;
    await all.#readLists(archive, numbering);
    if (styles !== undefined) await all.#readStyles(archive, styles);
    return all;
  }

  /** Counts a paragraph; the result is what stands before its text. */
  next(own: NumberOf, style: string | null): string {
    const { use: id, level: at } = this.#resolved(own, style);
    const use = id === null ? undefined : this.#uses.get(id);
    if (id === null || use === undefined) return "";
    const list = this.#listOf(use.list);
    const level = use.levels.get(at) ?? list?.levels.get(at);
    if (list === undefined || level === undefined) return "";
    const counts = this.#counts.get(list) ?? [];
    this.#counts.set(list, counts);
    if (!this.#begun.has(id)) {
      this.#begun.add(id);
      for (const one of use.starts.keys()) counts[one] = undefined;
    }
    const startOf = (one: number) => use.starts.get(one) ?? list.levels.get(one)?.start ?? 1;
    const before = counts[at];
    counts[at] = before === undefined ? startOf(at) : before + 1;
    for (let below = at + 1; below < mostLevels; below += 1) {
      const restart = list.levels.get(below)?.restart ?? null;
      if (restart === null || at < restart) counts[below] = undefined;
    }
    const text = level.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const one = Number(digit) - 1;
      const format = level.isLegal ? "decimal" : (use.levels.get(one) ?? list.levels.get(one))?.format;
      return listNumber(format ?? "decimal", counts[one] ?? startOf(one));
    });
    return text === "" || level.format === "bullet" ? "" : text + level.suffix;
  }

  #resolved(own: NumberOf, style: string | null): { use: string | null; level: number } {
    if (own.use !== null) return { use: own.use, level: own.level ?? 0 };
    let name = style;
    for (let depth = 0; name !== null && depth < deepestStyles; depth += 1) {
      const found: Style | undefined = this.#styles.get(name);
      if (found?.use) {
        const level = own.level ?? found.level ?? this.#levelOfStyle(found.use, name);
        return { use: found.use, level };
      }
      name = found?.basedOn ?? null;
    }
    return { use: null, level: 0 };
  }

  #levelOfStyle(id: string, style: string): number {
    const list = this.#listOf(this.#uses.get(id)?.list ?? "");
    for (const [at, level] of list?.levels ?? []) if (level.style === style) return at;
    return 0;
  }

  #listOf(id: string): List | undefined {
    const list = this.#lists.get(id);
    if (list === undefined || list.styleLink === null) return list;
    const use = this.#styles.get(list.styleLink)?.use ?? null;
    return use === null ? list : (this.#lists.get(this.#uses.get(use)?.list ?? "") ?? list);
  }

  async #readLists(archive: ZipArchive, part: string): Promise<void> {
    let list: List | null = null;
    let use: Use | null = null;
    let level: Level | null = null;
    let override = 0;
    await readXml(archive, part, {
      open: (name, attributes) => {
        const value = attribute(attributes, "val") ?? "";
        if (name === "abstractNum") {
          list = { levels: new Map(), styleLink: null };
          this.#lists.set(attribute(attributes, "abstractNumId") ?? "", list);
        } else if (name === "num") {
          use = { list: "", starts: new Map(), levels: new Map() };
          this.#uses.set(attribute(attributes, "numId") ?? "", use);
        } else if (name === "lvl") {
          level = newLevel();
          const at = attribute(attributes, "ilvl") ?? "";
          if (levelName.test(at)) (use ?? list)?.levels.set(Number(at), level);
        } else if (name === "lvlOverride") override = Number(attribute(attributes, "ilvl"));
        else if (name === "startOverride") use?.starts.set(override, Number(value));
        else if (name === "abstractNumId" && use !== null) use.list = value;
        else if (name === "numStyleLink" && list !== null) list.styleLink = value;
        else if (level !== null) setLevel(level, name, value);
      },
      close(name) {
        if (name === "abstractNum") list = null;
        else if (name === "num") use = null;
        else if (name === "lvl") level = null;
      },
    });
  }

  async #readStyles(archive: ZipArchive, part: string): Promise<void> {
    let style: Style | null = null;
    await readXml(archive, part, {
      open: (name, attributes) => {
        const value = attribute(attributes, "val") ?? "";
        if (name === "style") {
          style = { basedOn: null, use: null, level: null };
          this.#styles.set(attribute(attributes, "styleId") ?? "", style);
        } else if (style === null) return;
        else if (name === "basedOn") style.basedOn = value;
        else if (name === "numId") style.use = value;
        else if (name === "ilvl") style.level = Number(value);
      },
      close(name) {
        if (name === "style") style = null;
      },
    });
  }
}

const newLevel = (): Level => ({
  format: "decimal",
  text: "",
  start: 1,
  restart: null,
  isLegal: false,
  suffix: " ",
  style: null,
});

function setLevel(level: Level, name: string, value: string): void {
  if (name === "start") level.start = Number(value);
  else if (name === "numFmt") level.format = value;
  else if (name === "lvlText") level.text = value;
  else if (name === "lvlRestart") level.restart = Number(value);
  else if (name === "isLgl") level.isLegal = !["0", "false"].includes(value);
  else if (name === "suff") level.suffix = value === "nothing" ? "" : " ";
  else if (name === "pStyle") level.style = value;
}
