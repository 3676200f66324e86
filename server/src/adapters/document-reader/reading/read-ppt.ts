// PowerPoint 97 to 2003: the text of its slides in the order of the show, as the last save left them ([MS-PPT]).
import { openCompoundFile } from "./compound-file.ts";
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { children, descendants, type PptRecord, recordAt } from "./ppt-records.ts";
import { ReadingError } from "./reading-error.ts";
import type { TextSink } from "./text-sink.ts";

const type = {
  document: 0x03e8,
  slidePersist: 0x03f3,
  slideList: 0x0ff0,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  userEdit: 0x0ff5,
  persistDirectory: 0x1772,
} as const;
const slidesOfShow = 0;
const encryptedToken = 0xf3d1c4df;

export async function readPpt(input: InputFile, sink: TextSink): Promise<void> {
  await orCorrupt(() => {
    const file = openCompoundFile(input);
    const stream = file.stream("PowerPoint Document");
    const user = file.stream("Current User");
    if (stream === null || user === null) throw new ReadingError(40_008, "no presentation in it");
    if (user.readUInt32LE(12) === encryptedToken) throw new ReadingError(40_004, "a password");
    const { places, documentId } = savedPlaces(stream, user.readUInt32LE(16));
    const document = recordAt(stream, places.get(documentId) ?? -1);
    if (document?.type !== type.document) throw new ReadingError(40_003, "no document");
    for (const list of children(stream, document)) {
      if (list.type === type.slideList && list.instance === slidesOfShow)
        writeSlides(stream, list, places, sink);
    }
  });
}

/** Where each part lies after the last save: every save writes a directory of what it changed. */
function savedPlaces(stream: Buffer, lastEdit: number): { places: Map<number, number>; documentId: number } {
  const places = new Map<number, number>();
  const seen = new Set<number>();
  let documentId = 0;
  for (let at = lastEdit; at !== 0 && !seen.has(at);) {
    seen.add(at);
    const edit = recordAt(stream, at);
    if (edit?.type !== type.userEdit) throw new ReadingError(40_003, "no save");
    documentId ||= stream.readUInt32LE(edit.start + 16);
    addPlaces(stream, stream.readUInt32LE(edit.start + 12), places);
    at = stream.readUInt32LE(edit.start + 8);
  }
  return { places, documentId };
}

/** Runs of places: 20 bits the first number, 12 bits how many, then their offsets. What a later save said stays. */
function addPlaces(stream: Buffer, offset: number, places: Map<number, number>): void {
  const directory = recordAt(stream, offset);
  if (directory?.type !== type.persistDirectory) throw new ReadingError(40_003, "no directory");
  for (let at = directory.start; at + 4 <= directory.end;) {
    const run = stream.readUInt32LE(at);
    at += 4;
    for (let index = 0; index < run >>> 20 && at + 4 <= directory.end; index += 1, at += 4) {
      const id = (run & 0xfffff) + index;
      if (!places.has(id)) places.set(id, stream.readUInt32LE(at));
    }
  }
}

/** The texts of placeholders stand in the list after their slide, those of other shapes in the slide itself. */
function writeSlides(stream: Buffer, list: PptRecord, places: Map<number, number>, sink: TextSink): void {
  let slide: PptRecord | null = null;
  const endSlide = (): void => {
    if (slide !== null) for (const record of descendants(stream, slide)) writeText(stream, record, sink);
    if (slide !== null) sink.write("\n");
  };
  for (const record of children(stream, list)) {
    if (record.type === type.slidePersist) {
      endSlide();
      slide = recordAt(stream, places.get(stream.readUInt32LE(record.start)) ?? -1);
    } else writeText(stream, record, sink);
  }
  endSlide();
}

function writeText(stream: Buffer, record: PptRecord, sink: TextSink): void {
  const encoding = { [type.textChars]: "utf16le", [type.textBytes]: "latin1" }[record.type];
  if (encoding === undefined) return;
  const text = stream.toString(encoding as BufferEncoding, record.start, record.end);
  // Paragraphs end with CR, lines with a vertical tab.
  if (text.trim() !== "") sink.line(text.replaceAll(/[\r\v]/g, "\n").trimEnd());
}
