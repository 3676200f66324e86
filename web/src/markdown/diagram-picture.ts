/** Size and address of a drawn diagram as a picture. */
export interface DiagramPicture {
  url: string;
  width: number;
  height: number;
  /** Drawn in the colours of the dark theme. */
  dark: boolean;
}

const pngScale = 3;
const largestSide = 8000;

/** The picture of an SVG from the sandboxed page: as a picture it runs nothing and fetches nothing. Null if empty. */
export function toPicture(svg: string, dark: boolean): DiagramPicture | null {
  const viewBox = /\bviewBox="([-\d.eE\s]+)"/.exec(svg)?.[1]?.trim().split(/\s+/).map(Number) ?? [];
  const [, , width = 0, height = 0] = viewBox;
  if (!(width > 0) || !(height > 0)) return null;
  return { url: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })), width, height, dark };
}

/** The picture as PNG at scale 3 (requirements 1§9), smaller where that would pass what a canvas can hold. */
export async function toPng(picture: DiagramPicture): Promise<Blob | null> {
  const image = new Image();
  image.width = picture.width;
  image.height = picture.height;
  image.src = picture.url;
  await image.decode();
  const scale = Math.min(pngScale, largestSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(picture.width * scale);
  canvas.height = Math.ceil(picture.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
