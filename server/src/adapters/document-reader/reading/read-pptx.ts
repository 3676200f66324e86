// PowerPoint: each slide with its diagrams and its notes, in the order of the show.
import { orCorrupt } from "./corrupt.ts";
import { readShapes } from "./drawn-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { mainPart, relationsOf } from "./package-relations.ts";
import type { TextSink } from "./text-sink.ts";
import { readXml } from "./xml-parts.ts";
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
