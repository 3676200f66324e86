/** The product's colours by mermaid's names for them; lines and borders have at least 3:1 on the ground. */
const tokens = {
  background: "--surface",
  primaryColor: "--raised",
  primaryTextColor: "--ink",
  primaryBorderColor: "--control-line",
  secondaryColor: "--accent-soft",
  secondaryTextColor: "--ink",
  secondaryBorderColor: "--accent",
  tertiaryColor: "--surface",
  tertiaryTextColor: "--ink",
  tertiaryBorderColor: "--control-line",
  mainBkg: "--raised",
  nodeBorder: "--control-line",
  clusterBkg: "--ground",
  clusterBorder: "--control-line",
  lineColor: "--ink-2",
  textColor: "--ink",
  titleColor: "--ink",
  edgeLabelBackground: "--surface",
  actorBkg: "--raised",
  actorBorder: "--control-line",
  actorTextColor: "--ink",
  actorLineColor: "--control-line",
  signalColor: "--ink-2",
  signalTextColor: "--ink",
  labelBoxBkgColor: "--raised",
  labelBoxBorderColor: "--control-line",
  labelTextColor: "--ink",
  loopTextColor: "--ink",
  noteBkgColor: "--warning-soft",
  noteTextColor: "--ink",
  noteBorderColor: "--warning",
  activationBkgColor: "--accent-soft",
  activationBorderColor: "--accent",
  sequenceNumberColor: "--ground",
  pie1: "--accent-line",
  pie2: "--accent-soft",
  pie3: "--warning-soft",
  pie4: "--danger-soft",
  pie5: "--fill-active",
  pie6: "--bubble",
  pie7: "--raised",
  pie8: "--idle-fill",
  pieStrokeColor: "--control-line",
  pieOuterStrokeColor: "--control-line",
  pieTitleTextColor: "--ink",
  pieSectionTextColor: "--ink",
  pieLegendTextColor: "--ink",
  errorBkgColor: "--danger-soft",
  errorTextColor: "--danger",
} as const;

/** The colours of the page as it is now, for the page that draws diagrams. */
export function readDiagramColours(): Record<string, string> {
  const probe = document.createElement("span");
  // Where the system forces its colours, every one would be read as that of its text: a diagram of one colour.
  probe.style.forcedColorAdjust = "none";
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colours = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, style.color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Record<string, string>;
}
