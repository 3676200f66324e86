// The program of the process that reads words in a picture or a scan: node read-pictures.ts EXTENSION OUTPUT_BYTES FOLDER.
// FOLDER holds what does it. Files and statuses as in read-document.ts.
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { loadOcr, type OcrEngine } from "./ocr-engine.ts";
import { writtenText } from "./pdf-form.ts";
import { pageText, openPdf, pagePicture } from "./read-pdf.ts";
import { pictureText } from "./picture-text.ts";
import { runReading } from "./run-reading.ts";
import type { TextSink } from "./text-sink.ts";

const [extension = "", limit = "0", folder = ""] = process.argv.slice(2);

await runReading(Number(limit), async (input, sink) => {
  const engine = await loadOcr(folder);
  if (extension === "pdf") await readScan(engine, input, sink);
  else for await (const text of pictureText(engine, input.readAll(), extension)) sink.write(text);
});

/** Pages with text give that, the others the words of their picture. */
async function readScan(engine: OcrEngine, input: InputFile, sink: TextSink): Promise<void> {
  const pdf = await openPdf(input);
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const text = await pageText(pdf, number);
    if (text.trim() === "") {
      const picture = await pagePicture(pdf, number, engine.canvas);
      for await (const line of pictureText(engine, picture, "png")) sink.write(line);
      sink.write("\n");
    } else sink.write(`${text.trimEnd()}\n\n`);
    const written = await writtenText(pdf, number);
    if (written !== "") sink.write(`${written}\n`);
  }
}
