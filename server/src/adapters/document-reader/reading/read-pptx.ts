// PowerPoint: each slide with its diagrams and its notes, in the order of the show.
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { MathText } from "./math-text.ts";
import { mainPart, relationsOf } from "./package-relations.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, readXml } from "./xml-parts.ts";
import { ZipArchive } from "./zip-archive.ts";

export async function readPptx(input: InputFile, sink: TextSink): Promise<void> {
  const archive = await ZipArchive.open(input);
  await orCorrupt(async () => {
    const main = await mainPart(archive, "ppt/presentation.xml");
    const order: string[] = [];
    await readXml(archive, main, {
      open(name, attributes) {
        if (name === "sldId") order.push(attributes["r:id"] ?? "");
      },
    });
    const slides = new Map((await relationsOf(archive, main)).map(({ id, target }) => [id, target]));
    for (const id of order) {
      const slide = slides.get(id);
      if (slide === undefined || !archive.has(slide)) continue;
      await readShapes(archive, slide, sink);
      const relations = await relationsOf(archive, slide);
      for (const wanted of ["diagramData", "notesSlide"])
        for (const { kind, target } of relations)
          if (kind === wanted && archive.has(target)) await readShapes(archive, target, sink);
      sink.write("\n");
    }
  });
}

/** The paragraphs of a slide; fields such as its number are left out. */
async function readShapes(archive: ZipArchive, part: string, sink: TextSink): Promise<void> {
  let inText = 0;
  let inField = 0;
  let fallback = 0;
  let cells = 0;
  let line = "";
  const isRead = () => inField === 0 && fallback === 0;
  const math = new MathText((text) => {
    if (isRead()) line += text;
  });
  await readXml(archive, part, {
    open(name, attributes) {
      if (math.open(name, attributes)) return;
      if (name === "t") inText += 1;
      else if (name === "fld" && attribute(attributes, "type") === "slidenum") inField += 1;
      else if (name === "Fallback") fallback += 1;
      else if (name === "tc") cells += 1;
      else if (name === "br") line += "\n";
    },
    text(text) {
      if (!math.text(text) && inText > 0 && isRead()) line += text;
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
