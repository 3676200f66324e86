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

  // Relative luminance and contrast of WCAG 2.2, of "#ff9966" and "rgb(255, 153, 102)"; NaN of what is no colour.
  function luminanceOf(colour) {
    const bytes = colour.startsWith("#")
      ? [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
      : (colour.match(/[\d.]+/g) ?? []).map(Number);
    const [red, green, blue] = bytes.map((byte) => {
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

  // A model that colours a node or its words seldom knows in which theme they are read: words that can't be read there
  // take the ink of one theme or of the other.
  function makeWordsReadable(svg, colours) {
    for (const part of svg.querySelectorAll(".node, .cluster, .statediagram-cluster, .edgeLabel")) {
      const shape = part.querySelector(grounds);
      const fill = shape === null ? "none" : getComputedStyle(shape).fill;
      // Neither "none" nor half transparent: what lies below is not looked for.
      if (!fill.startsWith("rgb(")) continue;
      const inks = [colours.textColor, colours.background];
      inks.sort((one, other) => contrastOf(other, fill) - contrastOf(one, fill));
      for (const word of part.querySelectorAll("text, tspan"))
        if (contrastOf(getComputedStyle(word).fill, fill) < 4.5)
          word.style.setProperty("fill", inks[0], "important");
    }
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
