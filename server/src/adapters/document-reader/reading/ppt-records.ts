// The records of which a PowerPoint 97 file consists: some hold others.

export interface PptRecord {
  type: number;
  /** What kind of its type it is. */
  instance: number;
  /** Where its content begins and ends in the stream. */
  start: number;
  end: number;
  holdsRecords: boolean;
}

const headerBytes = 8;

/** The record at an offset; null when none fits there. */
export function recordAt(stream: Buffer, offset: number, limit = stream.length): PptRecord | null {
  if (offset < 0 || offset + headerBytes > limit) return null;
  const version = stream.readUInt16LE(offset);
  const start = offset + headerBytes;
  const end = start + stream.readUInt32LE(offset + 4);
  if (end > limit) return null;
  return {
    type: stream.readUInt16LE(offset + 2),
    instance: version >> 4,
    start,
    end,
    holdsRecords: (version & 0xf) === 0xf,
  };
}

/** The records directly inside of one. */
export function* children(stream: Buffer, parent: PptRecord): Generator<PptRecord> {
  for (let at = parent.start; at < parent.end;) {
    const record = recordAt(stream, at, parent.end);
    if (record === null) return;
    yield record;
    at = record.end;
  }
}

/** All records inside of one, however deep. */
export function* descendants(stream: Buffer, parent: PptRecord): Generator<PptRecord> {
  const open = [children(stream, parent)];
  while (open.length > 0) {
    const next = open.at(-1)?.next();
    if (next === undefined || next.done === true) {
      open.pop();
      continue;
    }
    yield next.value;
    if (next.value.holdsRecords) open.push(children(stream, next.value));
  }
}
