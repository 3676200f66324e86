/** The product's colours by mermaid's names for them; lines and borders have at least 3:1 on the ground. */
const tokens = {
  background: "--ground",
  primaryColor: "--surface",
  primaryTextColor: "--ink",
  primaryBorderColor: "--control-line",
  secondaryColor: "--accent-soft",
  secondaryTextColor: "--ink",
  secondaryBorderColor: "--accent",
  tertiaryColor: "--ground",
  tertiaryTextColor: "--ink",
  tertiaryBorderColor: "--control-line",
  mainBkg: "--surface",
  nodeBorder: "--control-line",
  clusterBkg: "--ground",
  clusterBorder: "--control-line",
  lineColor: "--ink-2",
  textColor: "--ink",
  titleColor: "--ink",
  edgeLabelBackground: "--ground",
  actorBkg: "--surface",
  actorBorder: "--control-line",
  actorTextColor: "--ink",
  actorLineColor: "--control-line",
  signalColor: "--ink-2",
  signalTextColor: "--ink",
  labelBoxBkgColor: "--surface",
  labelBoxBorderColor: "--control-line",
  labelTextColor: "--ink",
  loopTextColor: "--ink",
  noteBkgColor: "--warning-soft",
  noteTextColor: "--ink",
  noteBorderColor: "--warning",
  activationBkgColor: "--accent-soft",
  activationBorderColor: "--accent",
  sequenceNumberColor: "--ground",
  errorBkgColor: "--danger-soft",
  errorTextColor: "--danger",
} as const;

/** The colours of the page as it is now, for the page that draws diagrams. */
export function readDiagramColours(): Record<string, string> {
  const probe = document.createElement("span");
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colours = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, style.color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Record<string, string>;
}
