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
    // Surfaces step by lightness in this product, not by shadow.
    themeCSS: "* { filter: none !important; }",
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "maxTextSize",
      "maxEdges",
      "suppressErrorRendering",
      "htmlLabels",
      "fontFamily",
      "themeCSS",
      "look",
    ],
  };

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
    mermaid.initialize({ ...settings, themeVariables });
    const { svg } = await mermaid.render(`drawing-${id}`, source);
    const holder = document.createElement("div");
    holder.innerHTML = svg;
    const element = holder.querySelector("svg");
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
