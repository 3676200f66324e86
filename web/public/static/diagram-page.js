// Draws diagrams for the page that embeds this one. It runs in a sandbox without an origin: it can reach neither
// the page's data nor the network, and all it gives back is the text of a picture.
(() => {
  "use strict";
  const { mermaid } = window;

  // The library loads the picture of a node through `src`. The page refuses sources that ask for one before they come
  // here; what it did not see ends here, before a request is made.
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
  Object.defineProperty(HTMLImageElement.prototype, "src", {
    configurable: false,
    get,
    set(address) {
      if (!/^data:image\//i.test(address)) throw new Error("a picture from outside");
      set.call(this, address);
    },
  });

  // Characters that mermaid would read otherwise come hidden (diagram-characters.ts). They are measured as what they are.
  const { textContent } = Object.getOwnPropertyDescriptors(Node.prototype);
  for (const { prototype } of [SVGTextContentElement, SVGTitleElement, HTMLDivElement])
    Object.defineProperty(prototype, "textContent", {
      configurable: false,
      get: textContent.get,
      set(text) {
        textContent.set.call(this, typeof text === "string" ? text.replace(/[\uf721-\uf7ff]/g, shown) : text);
      },
    });
  function shown(hidden) {
    return String.fromCharCode(hidden.charCodeAt(0) - 0xf700);
  }

  const settings = {
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { htmlLabels: false },
    maxTextSize: 50000,
    maxEdges: 500,
    suppressErrorRendering: true,
    fontFamily: "system-ui, sans-serif",
    look: "classic",
    theme: "base",
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "maxTextSize",
      "maxEdges",
      "suppressErrorRendering",
      "htmlLabels",
      "fontFamily",
      "theme",
      "themeCSS",
      "themeVariables",
      "look",
    ],
  };

  // What mermaid gives no colour of its own for. Of those that follow each other the area is soft, its lines are strong.
  function styleOf(colours) {
    const scale = Array.from({ length: 12 }, (_, index) => {
      const line = colours[`cScaleInv${index}`];
      const part = `.section-${index - 1}`;
      const shapes = ["rect", "path", "circle", "polygon"].map((shape) => `${part} ${shape}`).join();
      return `
        ${shapes} { fill: ${colours[`cScale${index}`]}; stroke: ${line}; stroke-width: 1px; }
        ${part} line { stroke: none; }
        .section-edge-${index - 1} { stroke: ${line}; }
        .radarCurve-${index}, .radarLegendBox-${index} { fill: ${line}; fill-opacity: 0.15; stroke: ${line}; }`;
    });
    return `
      /* Surfaces step by lightness in this product, not by shadow. */
      * { filter: none !important; }
      .edgeLabel rect { opacity: 1 !important; }
      ${scale.join("")}
      .section-root circle, .section-root rect, .section-root path, .section-root polygon { fill: ${colours.git0}; }
      .section-root text { fill: ${colours.branchLabelColor}; }
      .radarGraticule { fill: none; }
      [class^="bar-plot"] rect { fill-opacity: 0.5; }
      /* The author's frames in a sequence have the text of the theme in them: a tint serves light and dark. */
      rect.rect { fill-opacity: 0.25; }
      text[fill="#444444"] { fill: ${colours.textColor}; }
      [stroke="#444444"] { stroke: ${colours.lineColor}; }
      marker[id$="-arrowhead"] path, marker[id$="-arrowend"] path { fill: ${colours.lineColor}; }
      .face { fill: ${colours.noteBkgColor}; stroke: ${colours.noteBorderColor}; }
      .mouth { stroke: ${colours.textColor}; }`;
  }

  // Of "#ff9966" and "rgb(255, 153, 102)".
  function bytesOf(colour) {
    return colour.startsWith("#")
      ? [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
      : (colour.match(/[\d.]+/g) ?? []).map(Number);
  }

  // Relative luminance and contrast of WCAG 2.2; NaN of what is no colour.
  function luminanceOf(colour) {
    const [red, green, blue] = bytesOf(colour).map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
  function contrastOf(one, other) {
    const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  }

  // What a part's words stand on: its own shape, or the ground of words on a line.
  const grounds = ["", " > g:not(.label, .cluster-label)"]
    .map((way) => `:scope${way} > :is(rect, path, circle, ellipse, polygon)`)
    .concat(":scope rect.background")
    .join();

  function fillOf(part) {
    const shape = part.querySelector(grounds);
    return shape === null ? "none" : getComputedStyle(shape).fill;
  }

  // Tells what lies below a part that is not filled: the innermost of the groups around its middle, or the diagram's ground.
  function groundsBelow(svg, colours) {
    const groups = [...svg.querySelectorAll(".cluster, .statediagram-cluster")]
      .map((group) => ({ group, box: group.getBoundingClientRect(), fill: fillOf(group) }))
      .filter(({ fill }) => fill.startsWith("rgb("));
    return (part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const around = groups.findLast(
        ({ group, box }) => group !== part && x > box.left && x < box.right && y > box.top && y < box.bottom,
      );
      return around?.fill ?? colours.background;
    };
  }

  // A model that colours a node or its words seldom knows in which theme they are read: words that can't be read there
  // take the ink of one theme or of the other.
  function makeWordsReadable(svg, colours) {
    const groundBelow = groundsBelow(svg, colours);
    for (const part of svg.querySelectorAll(".node, .cluster, .statediagram-cluster, .edgeLabel")) {
      const own = fillOf(part);
      const fill = own === "none" ? groundBelow(part) : own;
      // Half transparent: what lies below it is not looked for.
      if (!/^(?:rgb\(|#)/.test(fill)) continue;
      const inks = [colours.textColor, colours.background];
      inks.sort((one, other) => contrastOf(other, fill) - contrastOf(one, fill));
      for (const word of part.querySelectorAll("text, tspan"))
        if (contrastOf(getComputedStyle(word).fill, fill) < 4.5)
          word.style.setProperty("fill", inks[0], "important");
    }
  }

  // A colour with so much of the ink in it that it has this contrast to the ground; its hue stays as long as it can.
  function seenOn(ground, colour, ink, least) {
    const [from, to] = [bytesOf(colour), bytesOf(ink)];
    for (let part = 0.2; part < 1; part += 0.2) {
      const mixed = `rgb(${from.map((byte, index) => Math.round(byte + (to[index] - byte) * part)).join(", ")})`;
      if (contrastOf(mixed, ground) >= least) return mixed;
    }
    return ink;
  }

  const shapes = ":is(rect, path, circle, ellipse, polygon, line)";
  const edgesOfPart = `:scope > ${shapes}, :scope > g:not(.label, .cluster-label) ${shapes}`;

  // Nor do they know on which ground their lines are seen: lines, their ends, and the border of what is not seen by its own
  // colour. In a C4 diagram the words on lines stand on the ground, too.
  function makeLinesVisible(svg, colours) {
    const { background, lineColor, textColor } = colours;
    const isFaint = (colour, least) => colour.startsWith("rgb(") && contrastOf(colour, background) < least;
    const paint = (shape, what, ink, least) => {
      const colour = getComputedStyle(shape)[what];
      if (isFaint(colour, least))
        shape.style.setProperty(what, seenOn(background, colour, ink, least), "important");
    };
    for (const line of svg.querySelectorAll(".edgePaths path, .edgePath path, .relation, .transition"))
      paint(line, "stroke", lineColor, 3);
    // The ends of a line with a colour of its own are named after it.
    for (const end of svg.querySelectorAll('marker:is([id*="Start_"], [id*="End_"]) > *'))
      for (const what of ["fill", "stroke"]) paint(end, what, lineColor, 3);
    for (const part of svg.querySelectorAll(".node, .cluster, .statediagram-cluster")) {
      const fill = fillOf(part);
      if (fill.startsWith("rgb(") && !isFaint(fill, 3)) continue;
      for (const edge of part.querySelectorAll(edgesOfPart)) paint(edge, "stroke", lineColor, 3);
    }
    if (svg.getAttribute("aria-roledescription") !== "c4") return;
    for (const line of svg.querySelectorAll(":is(line, path, rect)[stroke]:not(.node *, defs *, marker *)"))
      paint(line, "stroke", lineColor, 3);
    for (const word of svg.querySelectorAll("text:not(.node *)")) paint(word, "fill", textColor, 4.5);
  }

  // The library writes the names of states from the left edge of their boxes.
  function centreNames(svg) {
    for (const label of svg.querySelectorAll(".node.statediagram-state > .label")) {
      const words = label.querySelector("text");
      const shift = label.transform.baseVal.consolidate();
      if (words === null || shift === null) continue;
      const { x, width } = words.getBBox();
      label.setAttribute("transform", `translate(${-x - width / 2}, ${shift.matrix.f})`);
    }
  }

  async function draw(id, source, dark, colours) {
    const themeVariables = {
      ...colours,
      darkMode: dark,
      fontFamily: settings.fontFamily,
      fontSize: "14px",
      pieTitleTextSize: "16px",
      pieSectionTextSize: "14px",
      pieLegendTextSize: "14px",
      pieStrokeWidth: "1px",
      pieOuterStrokeWidth: "1px",
      pieOpacity: "1",
    };
    mermaid.initialize({ ...settings, themeVariables, themeCSS: styleOf(colours) });
    const { svg } = await mermaid.render(`drawing-${id}`, source);
    const holder = document.createElement("div");
    holder.innerHTML = svg;
    const element = holder.querySelector("svg");
    if (element !== null) {
      document.body.append(holder);
      makeWordsReadable(element, colours);
      makeLinesVisible(element, colours);
      centreNames(element);
    }
    // Only well-formed XML is a picture; what mermaid returns is HTML.
    return element === null ? null : new XMLSerializer().serializeToString(element);
  }

  window.addEventListener("message", async (event) => {
    if (event.source !== window.parent) return;
    const { id, source, dark, colours } = event.data ?? {};
    if (typeof id !== "number" || typeof source !== "string") return;
    let svg = null;
    try {
      svg = await draw(id, source, dark === true, colours);
    } catch {
      svg = null;
    }
    document.body.replaceChildren();
    window.parent.postMessage({ id, svg }, "*");
  });

  window.parent.postMessage("ready", "*");
})();
