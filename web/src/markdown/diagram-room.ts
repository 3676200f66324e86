import type { DiagramSize } from "./diagram-sizes.ts";

/** How a picture stands in the room its block had before, in px. */
export interface DiagramRoom {
  /** Of the block below its bar, so that it does not shrink. */
  least: number;
  /** Of the picture; null where it has its own height. */
  most: number | null;
}

/** Above and below a picture together, and at its sides: `--space-4` twice. */
const aroundPicture = 32;
/** A picture is made smaller by no more than this to fit; a larger one makes its block grow. */
const smallest = 0.8;
/** More empty room than this is given up, if it is more than half of all. */
const mostEmpty = 240;

/**
 * The room for a picture that comes into a block of this height and width, so that nothing below it moves; null where it has
 * to take its own.
 */
export function roomOfPicture(height: number, width: number, picture: DiagramSize): DiagramRoom | null {
  const own = ownHeight(picture, width) + aroundPicture;
  if (own > height) {
    const fits = height - aroundPicture >= smallest * (own - aroundPicture);
    return fits ? { least: height, most: height - aroundPicture } : null;
  }
  return height - own <= Math.max(mostEmpty, height / 2) ? { least: height, most: null } : null;
}

/** As in code-block.module.css: as wide as there is room, but at least 0.7 of its own width. */
function ownHeight(picture: DiagramSize, width: number): number {
  return picture.height * Math.min(1, Math.max((width - aroundPicture) / picture.width, 0.7));
}
