// The words of what is drawn on slides and sheets.
import { MathText } from "./math-text.ts";
import { SlideNumbers } from "./slide-numbers.ts";
import { shownIn } from "./symbol-fonts.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, readXml } from "./xml-parts.ts";
import type { ZipArchive } from "./zip-archive.ts";

/** The paragraphs of the shapes of a part; fields such as its number are left out. */
export async function readShapes(archive: ZipArchive, part: string, sink: TextSink): Promise<void> {
  let inText = 0;
  let inField = 0;
  let fallback = 0;
  let cells = 0;
  let line = "";
  // The font of the symbols of a run.
  let font = "";
  const isRead = () => inField === 0 && fallback === 0;
  const numbers = new SlideNumbers();
  const put = (text: string): void => {
    if (isRead() && text !== "") line += numbers.next() + text;
  };
  const math = new MathText(put);
  await readXml(archive, part, {
    open(name, attributes) {
      if (math.open(name, attributes)) return;
      if (fallback === 0) numbers.open(name, attributes);
      if (name === "t") inText += 1;
      else if (name === "fld" && attribute(attributes, "type") === "slidenum") inField += 1;
      else if (name === "Fallback") fallback += 1;
      else if (name === "tc") cells += 1;
      else if (name === "r") font = "";
      else if (name === "sym") font = attribute(attributes, "typeface") ?? "";
      else if (name === "br") line += "\n";
    },
    text(text) {
      if (!math.text(text) && inText > 0) put(shownIn(font, text));
    },
    close(name) {
      if (math.close(name)) return;
      if (name === "t") inText -= 1;
      else if (name === "fld") inField = Math.max(0, inField - 1);
      else if (name === "Fallback") fallback -= 1;
      else if (name === "tc") {
        cells -= 1;
        line = `${line.endsWith(" ") ? line.slice(0, -1) : line}\t`;
      } else if (name === "p" && cells > 0) line += " ";
      else if (name === "tr" || name === "p") {
        if (line.trim() !== "") sink.line(line.trimEnd());
        line = "";
      }
    },
  });
}
