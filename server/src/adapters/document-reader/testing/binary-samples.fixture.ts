// Documents of the old binary Office formats, written after [MS-DOC], [MS-PPT] and [MS-XLS].
import { type CellObject, CFB, utils, write } from "@e965/xlsx";

function compound(streams: Readonly<Record<string, Buffer>>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${name}`, content);
  CFB.utils.cfb_del(container, "/\u0001Sh33tJ5");
  return Buffer.from(CFB.write(container, { type: "buffer" }) as Uint8Array);
}

/** A compound file that an Office document with a password is put into. */
export function lockedOfficeFile(): Buffer {
  return compound({ EncryptionInfo: Buffer.alloc(64, 1), EncryptedPackage: Buffer.alloc(5000, 7) });
}

export function xls(rows: readonly (readonly (string | number | CellObject)[])[], sheet = "Sheet 1"): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), sheet);
  return Buffer.from(write(book, { type: "buffer", bookType: "biff8" }) as Uint8Array);
}

/** Word 97: a file information block, one piece of UTF-16 text, its piece table and formatting of nothing. */
export function doc(paragraphs: readonly string[], { encrypted = false } = {}): Buffer {
  const text = Buffer.from(`${paragraphs.join("\r")}\r`, "utf16le");
  const textAt = 1536;
  // The block grows in whole sectors of 512 bytes, and the stream must not fit the small ones of the container.
  const main = Buffer.alloc(Math.max(4608, Math.ceil((textAt + text.length) / 512) * 512 + 512));
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0x00c1, 2);
  main.writeUInt16LE(0x0200 | (encrypted ? 0x0100 : 0), 10);
  main.writeUInt32LE(text.length / 2, 0x4c);
  const pieces = Buffer.alloc(5 + 16);
  pieces[0] = 2;
  pieces.writeUInt32LE(16, 1);
  pieces.writeUInt32LE(0, 5);
  pieces.writeUInt32LE(text.length / 2, 9);
  pieces.writeUInt32LE(textAt, 15);
  const table = Buffer.alloc(4608);
  pieces.copy(table);
  main.writeUInt32LE(0, 0x1a2);
  main.writeUInt32LE(pieces.length, 0x1a6);
  text.copy(main, textAt);
  return compound({ WordDocument: main, "1Table": table });
}

function record(type: number, content: Buffer, { holds = false, instance = 0 } = {}): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE((instance << 4) | (holds ? 0xf : 0), 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content]);
}

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
};

/** PowerPoint 97: for each slide a title in the list and a text box in the slide; `old` is what an earlier save left. */
export function ppt(
  slides: readonly { title: string; box: string }[],
  { old = "", encrypted = false } = {},
): Buffer {
  const chars = (text: string) => record(0x0fa0, Buffer.from(text, "utf16le"));
  const list = slides.map(({ title }, at) =>
    Buffer.concat([record(0x03f3, numbers(at + 2, 0, 0, 256 + at, 0)), chars(title)]),
  );
  const document = record(0x03e8, record(0x0ff0, Buffer.concat(list), { holds: true }), { holds: true });
  const boxes = slides.map(({ box }) => {
    const textBox = record(0xf00d, chars(box), { holds: true });
    return record(0x03ee, record(0x040c, textBox, { holds: true }), { holds: true });
  });
  const parts = [record(0x03ee, chars(old), { holds: true }), document, ...boxes];
  const offsets: number[] = [];
  let length = 0;
  for (const part of parts) {
    offsets.push(length);
    length += part.length;
  }
  const directory = record(0x1772, numbers(((slides.length + 1) << 20) | 1, ...offsets.slice(1)));
  const edit = record(0x0ff5, Buffer.concat([numbers(256, 0x03000000, 0, length, 1), numbers(10, 0)]));
  const user = record(0x0ff6, numbers(20, encrypted ? 0xf3d1c4df : 0xe391c05f, length + directory.length, 0));
  const stream = Buffer.concat([...parts, directory, edit]);
  return compound({
    "Current User": user,
    "PowerPoint Document": Buffer.concat([stream, Buffer.alloc(Math.max(0, 4608 - stream.length))]),
  });
}
