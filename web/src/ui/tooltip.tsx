import { cloneElement, type ReactElement } from "react";
import { lazyPart } from "./lazy-part.tsx";
import type { TooltipPlacement, TooltipSize } from "./tooltip-place.ts";

/** Shows the tooltips of the whole page; its code loads when the page is first touched. Once, beside everything else. */
export const tooltipLayer = lazyPart(async () => (await import("./tooltip-layer.tsx")).TooltipLayer);

interface TooltipAttributes {
  "data-tooltip": string;
  "data-tooltip-side": TooltipPlacement | undefined;
  "data-tooltip-size": TooltipSize | undefined;
  "data-tooltip-arrow": true | undefined;
  "data-tooltip-delay": number | undefined;
  "data-tooltip-cut": true | undefined;
}

export interface TooltipProps {
  text: string;
  /** Puts the attributes it gets on its element. */
  children: ReactElement<TooltipAttributes>;
  side?: TooltipPlacement;
  /** m when absent. */
  size?: TooltipSize;
  arrow?: boolean;
  /** Milliseconds before it shows; 300 when absent. */
  delay?: number;
  /** Only while a text within the element is cut off, and only for the pointer: a reader hears the whole. */
  whenCut?: boolean;
}

/** A short explanation of its one child, on hover and on keyboard focus: written on it for the tooltip layer to find. */
export function Tooltip({ text, children, side, size, arrow, delay, whenCut = false }: TooltipProps) {
  const written: TooltipAttributes = {
    "data-tooltip": text,
    "data-tooltip-side": side,
    "data-tooltip-size": size,
    "data-tooltip-arrow": arrow || undefined,
    "data-tooltip-delay": delay,
    "data-tooltip-cut": whenCut || undefined,
  };
  return cloneElement(children, written);
}
