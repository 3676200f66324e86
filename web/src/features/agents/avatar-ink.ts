/** Black or white, whichever is read better on a colour (`#rrggbb`): at least 4.5:1 on every one. */
export function inkOn(color: string): "#000000" | "#ffffff" {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => light(parseInt(color.slice(at, at + 2), 16)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#ffffff";
}

/** The light of one channel (0 to 255), as WCAG counts it. */
function light(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
