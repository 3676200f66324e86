/** Width and height of a drawn diagram in CSS pixels; none of what could not be drawn. */
export interface DiagramSize {
  width: number;
  height: number;
}

const storageKey = "plumb.diagramSizes";
const mostKept = 200;
let sizes: Map<string, DiagramSize> | null = null;

/** The size this diagram had when it was last drawn in this tab, also before a reload. */
export function knownSize(source: string): DiagramSize | null {
  sizes ??= readSizes();
  return sizes.get(keyOf(source)) ?? null;
}

/** Keeps the size of a drawn diagram; the oldest goes. */
export function keepSize(source: string, { width, height }: DiagramSize): void {
  sizes ??= readSizes();
  const key = keyOf(source);
  const known = sizes.get(key);
  if (known?.width === width && known.height === height) return;
  sizes.delete(key);
  const [oldest] = sizes.keys();
  if (sizes.size >= mostKept && oldest !== undefined) sizes.delete(oldest);
  sizes.set(key, { width, height });
  try {
    sessionStorage.setItem(
      storageKey,
      JSON.stringify([...sizes].map(([of, size]) => [of, size.width, size.height])),
    );
  } catch {
    // Without storage the sizes are known as long as the page lives.
  }
}

/** Anything else than what is written here is passed over: a place of no size would only jump as before. */
function readSizes(): Map<string, DiagramSize> {
  const read = new Map<string, DiagramSize>();
  for (const entry of storedList().slice(-mostKept)) {
    if (!Array.isArray(entry)) continue;
    const [key, width, height] = entry as unknown[];
    if (typeof key === "string" && isSide(width) && isSide(height)) read.set(key, { width, height });
  }
  return read;
}

function storedList(): unknown[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function isSide(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < 100_000;
}

/** Length and FNV-1a hash: what a chat says is not written into the storage. */
function keyOf(source: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < source.length; index++)
    hash = Math.imul(hash ^ source.charCodeAt(index), 0x01000193);
  return `${source.length}.${(hash >>> 0).toString(36)}`;
}
