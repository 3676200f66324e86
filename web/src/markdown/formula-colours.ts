/**
 * Makes colours named in a formula (`\textcolor{blue}`) readable on both grounds: the hue is kept, the lightness is held
 * on the side of the ink, that of a background on the side of the ground.
 */
export function softenColours(formula: HTMLElement): void {
  for (const element of formula.querySelectorAll<HTMLElement>("[style*='color']")) {
    const { color, backgroundColor, borderColor } = element.style;
    if (color !== "") element.style.color = legible(color, "min(l, 0.5)", "max(l, 0.78)");
    if (backgroundColor !== "") {
      element.style.backgroundColor = legible(backgroundColor, "max(l, 0.88)", "min(l, 0.35)");
    }
    if (borderColor !== "") element.style.borderColor = legible(borderColor, "min(l, 0.6)", "max(l, 0.6)");
  }
}

/** A browser that does not know relative colours refuses the value and keeps the one before. */
function legible(colour: string, light: string, dark: string): string {
  if (colour.startsWith("var(")) return colour;
  return `light-dark(oklch(from ${colour} ${light} c h), oklch(from ${colour} ${dark} c h))`;
}
