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
  arrowheadColor: "--ink-2",
  textColor: "--ink",
  titleColor: "--ink",
  edgeLabelBackground: "--surface",
  rowOdd: "--raised",
  rowEven: "--surface",
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
  sectionBkgColor: "--fill-hover",
  sectionBkgColor2: "--fill-hover",
  altSectionBkgColor: "--ground",
  excludeBkgColor: "--ground",
  gridColor: "--control-line",
  taskBkgColor: "--raised",
  taskBorderColor: "--control-line",
  taskTextColor: "--ink",
  taskTextDarkColor: "--ink",
  taskTextLightColor: "--ink",
  taskTextOutsideColor: "--ink",
  taskTextClickableColor: "--accent",
  activeTaskBkgColor: "--accent-soft",
  activeTaskBorderColor: "--accent",
  doneTaskBkgColor: "--fill-active",
  doneTaskBorderColor: "--control-line",
  critBkgColor: "--danger-soft",
  critBorderColor: "--danger",
  todayLineColor: "--danger",
  vertLineColor: "--accent",
  pieStrokeColor: "--control-line",
  pieOuterStrokeColor: "--control-line",
  pieTitleTextColor: "--ink",
  pieSectionTextColor: "--ink",
  pieLegendTextColor: "--ink",
  quadrant1Fill: "--raised",
  quadrant2Fill: "--surface",
  quadrant3Fill: "--raised",
  quadrant4Fill: "--surface",
  quadrant1TextFill: "--ink-2",
  quadrant2TextFill: "--ink-2",
  quadrant3TextFill: "--ink-2",
  quadrant4TextFill: "--ink-2",
  quadrantPointFill: "--accent",
  quadrantPointTextFill: "--ink",
  archEdgeColor: "--ink-2",
  archEdgeArrowColor: "--ink-2",
  archGroupBorderColor: "--control-line",
  branchLabelColor: "--on-accent",
  commitLabelColor: "--ink",
  commitLabelBackground: "--surface",
  tagLabelColor: "--ink",
  tagLabelBackground: "--raised",
  tagLabelBorder: "--control-line",
  errorBkgColor: "--danger-soft",
  errorTextColor: "--danger",
} as const;

/** What mermaid keeps in a group of its own. */
const groups = {
  xyChart: {
    backgroundColor: "--surface",
    titleColor: "--ink",
    dataLabelColor: "--ink",
    legendTextColor: "--ink",
    xAxisTitleColor: "--ink",
    xAxisLabelColor: "--ink",
    xAxisTickColor: "--ink-2",
    xAxisLineColor: "--ink-2",
    yAxisTitleColor: "--ink",
    yAxisLabelColor: "--ink",
    yAxisTickColor: "--ink-2",
    yAxisLineColor: "--ink-2",
  },
  radar: { axisColor: "--ink-2", graticuleColor: "--control-line" },
  packet: {
    startByteColor: "--ink-2",
    endByteColor: "--ink-2",
    labelColor: "--ink",
    titleColor: "--ink",
    blockStrokeColor: "--control-line",
    blockFillColor: "--raised",
  },
  treeView: {
    labelColor: "--ink",
    lineColor: "--ink-2",
    iconColor: "--ink-2",
    descriptionColor: "--ink-2",
  },
} as const;

/** What stands beside each other in one diagram. Each has at least 3:1 on the surface, and --on-accent can be read on it. */
const hues = [
  "var(--accent)",
  "var(--warning)",
  "oklch(from var(--accent) l 0.1 265)",
  "var(--success)",
  "oklch(from var(--accent) l 0.1 320)",
  "var(--danger)",
];

/** For areas with text in them: so much of the hue in the surface, in percent. */
const softened = (hue: string, part: number): string => `color-mix(in srgb, ${hue} ${part}%, var(--surface))`;

/** Mermaid knows twelve colours that follow each other, eight for branches and parts. */
function scaleOf(read: (colour: string) => string): Record<string, string> {
  const lines = hues.map(read);
  const areas = hues.map((hue) => read(softened(hue, 20)));
  const heads = hues.map((hue) => read(softened(hue, 35)));
  const scale: Record<string, string> = {};
  for (let index = 0; index < 12; index++) {
    const line = lines[index % hues.length] ?? "";
    const area = areas[index % hues.length] ?? "";
    Object.assign(scale, {
      [`cScale${index}`]: area,
      [`cScaleInv${index}`]: line,
      [`cScalePeer${index}`]: heads[index % hues.length] ?? "",
      [`cScaleLabel${index}`]: read("var(--ink)"),
      [`pie${index + 1}`]: area,
    });
    if (index < 8)
      Object.assign(scale, {
        [`git${index}`]: line,
        [`gitInv${index}`]: area,
        [`fillType${index}`]: area,
        [`venn${index + 1}`]: line,
      });
  }
  return scale;
}

/** A colour as a mix is read, "color(srgb 0.1 0.2 0.3)", in a form that mermaid reads: "#1a334d". */
function toHex(colour: string): string {
  const parts = /^color\(srgb ([-\d.e]+) ([-\d.e]+) ([-\d.e]+)/.exec(colour)?.slice(1) ?? [];
  const bytes = parts.map((part) => Math.round(Math.min(Math.max(Number(part), 0), 1) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export type DiagramColours = Record<string, string | Record<string, string>>;

/** The colours of the page in one of its themes, whichever it is in, for the page that draws diagrams. */
export function readDiagramColours(dark: boolean): DiagramColours {
  const probe = document.createElement("span");
  probe.dataset["theme"] = dark ? "dark" : "light";
  // Where the system forces its colours, every one would be read as that of its text: a diagram of one colour.
  probe.style.forcedColorAdjust = "none";
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const read = (colour: string): string => {
    probe.style.color = `color-mix(in srgb, ${colour} 100%, transparent)`;
    return toHex(style.color);
  };
  const readAll = (names: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(names).map(([name, token]) => [name, read(`var(${token})`)]));
  const colours = {
    ...readAll(tokens),
    ...scaleOf(read),
    xyChart: { ...readAll(groups.xyChart), plotColorPalette: hues.map(read).join(",") },
    radar: readAll(groups.radar),
    packet: readAll(groups.packet),
    treeView: readAll(groups.treeView),
  };
  probe.remove();
  return colours;
}
