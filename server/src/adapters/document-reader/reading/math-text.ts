// Formulas of Office as one writes them on a line: fractions, powers and roots keep what makes them one.
import { attribute } from "./xml-parts.ts";

interface Frame {
  name: string;
  parts: { name: string; text: string }[];
  /** What its properties say: the sign of a sum, the brackets around something. */
  signs: Map<string, string>;
}

/** Is told of each element, and takes those of formulas. */
export class MathText {
  readonly #put: (text: string) => void;
  readonly #frames: Frame[] = [];
  #inText = false;

  /** `put` takes each formula when it is whole. */
  constructor(put: (text: string) => void) {
    this.#put = put;
  }

  /** True for one that is part of a formula; so are the others. */
  open(name: string, attributes: Readonly<Record<string, string>>): boolean {
    if (this.#frames.length === 0 && name !== "oMath") return false;
    if (name === "t") this.#inText = true;
    const sign = attribute(attributes, "val");
    if (sign !== undefined) this.#frames.at(-2)?.signs.set(name, sign);
    this.#frames.push({ name, parts: [], signs: new Map() });
    return true;
  }

  text(text: string): boolean {
    if (this.#inText) this.#frames.at(-1)?.parts.push({ name: "t", text });
    return this.#frames.length > 0;
  }

  close(name: string): boolean {
    const frame = this.#frames.pop();
    if (frame === undefined) return false;
    if (name === "t") this.#inText = false;
    const text = textOf(frame);
    const around = this.#frames.at(-1);
    if (around === undefined) this.#put(text);
    else around.parts.push({ name, text });
    return true;
  }
}

/** "x" → x, "a+b" → (a+b). */
const grouped = (text: string): string => (/^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`);

/** Empty ones are places that were not filled. */
const marked = (mark: string, text: string): string => (text === "" ? "" : mark + grouped(text));

function textOf({ name, parts, signs }: Frame): string {
  const all = (wanted: string) => parts.filter((part) => part.name === wanted).map(({ text }) => text);
  const one = (wanted: string) => all(wanted)[0] ?? "";
  const bounds = () => marked("_", one("sub")) + marked("^", one("sup"));
  switch (name) {
    case "f":
      return `${grouped(one("num"))}/${grouped(one("den"))}`;
    case "sSub":
    case "sSup":
    case "sSubSup":
      return one("e") + bounds();
    case "sPre":
      return bounds() + one("e");
    case "rad":
      return `${one("deg") === "" ? "" : `[${one("deg")}]`}√${grouped(one("e"))}`;
    case "nary":
      return `${signs.get("chr") ?? "∫"}${bounds()} ${one("e")}`;
    case "d":
      return (
        (signs.get("begChr") ?? "(") +
        all("e").join(signs.get("sepChr") ?? "|") +
        (signs.get("endChr") ?? ")")
      );
    case "func":
      return `${one("fName")}(${one("e")})`;
    case "limLow":
      return one("e") + marked("_", one("lim"));
    case "limUpp":
      return one("e") + marked("^", one("lim"));
    case "mr":
      return all("e").join(", ");
    case "m":
      return all("mr").join("; ");
    case "eqArr":
      return all("e").join("; ");
    default:
      return parts.map(({ text }) => text).join("");
  }
}
