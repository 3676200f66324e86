import { expect, test } from "vitest";
import { asksOutside } from "./outside-diagram.ts";

const AT = "http://192.0.2.1/p.png";
const flow = (line: string): string => `flowchart TD\n  ${line}\n  A --> B`;

test.each([
  ["the picture of a node", flow(`A@{ img: "${AT}", label: "x" }`)],
  ["without quotes", flow(`A@{img: ${AT}}`)],
  ["on a line of its own", flow(`A@{\n    shape: image\n    img: "${AT}"\n  }`)],
  ["with the key in quotes", flow(`A@{ "img": "${AT}" }`)],
  ["with the key in single quotes", flow(`A@{ 'img' : "${AT}" }`)],
  ["with an escaped key", flow(`A@{ "i\\x6dg": "${AT}" }`)],
  ["with an escaped key of four digits", flow(`A@{ "\\u0069mg": "${AT}" }`)],
  ["with a folded key", flow(`A@{ "im\\\n  g": "${AT}" }`)],
  ["with an explicit key", flow(`A@{\n ? img\n : "${AT}"\n}`)],
  ["with the key behind an anchor", flow(`A@{\n label: &k img\n *k : "${AT}"\n}`)],
  ["of a second node", flow(`A@{ label: "x" }\n  B@{ img: "${AT}" }`)],
  ["of a card", `kanban\n  todo\n    a[x]@{ img: '${AT}' }`],
  ["a picture in a label", flow(`A["<img src='${AT}'>"]`)],
  ["a picture in a label, in entities of mermaid", flow(`A["#60;img src='${AT}'#62;"]`)],
  ["a picture in a label, in entities of HTML", flow(`A["&lt;img src='${AT}'&gt;"]`)],
  ["a picture in a label, in entities twice", flow(`A["&amp;#60;img src='${AT}'&amp;#62;"]`)],
  ["a picture of SVG", flow(`A["<image href='${AT}'/>"]`)],
  ["a picture in capitals", flow(`A["<Img src='${AT}'>"]`)],
  ["a frame", `sequenceDiagram\n  A->>B: <iframe src="${AT}"></iframe>`],
  ["a style on an element", flow(`A["<b style='background:red'>x</b>"]`)],
  ["a fill from outside", flow(`A\n  style A fill:url(${AT})`)],
  ["a class with a filter from outside", flow(`A\n  classDef c filter:url("${AT}#f")`)],
  ["a picture set", flow(`A\n  style A background:image-set("${AT}" 1x)`)],
  ["an escaped call of CSS", flow(`A\n  style A fill:\\75rl(${AT})`)],
  ["an escaped letter of CSS", flow(`A\n  style A fill:\\url(${AT})`)],
  ["a call of CSS with a comment", flow(`A\n  style A fill:u/**/rl(${AT})`)],
  ["an import of a theme", `%%{init: {"themeCSS": "@import '${AT}'"}}%%\n${flow("A")}`],
  ["a variable of a theme", `%%{init: {"themeVariables": {"primaryColor": "url(${AT})"}}}%%\n${flow("A")}`],
  ["a font in the front matter", `---\nconfig:\n  fontFamily: "x;src:url(${AT})"\n---\n${flow("A")}`],
  ["a picture in a formula", flow(`A["$$\\includegraphics{${AT}}$$"]`)],
  ["a style in a formula", flow(`A["$$\\htmlStyle{background:red}{x}$$"]`)],
])("%s is refused", (_, source) => {
  expect(asksOutside(source)).toBe(true);
});

test.each([
  ["a plain one", flow("A[Start] -->|yes| B{Is it so?}")],
  ["links that a click follows", flow(`A\n  click A href "${AT}" "where" _blank\n  click B "${AT}"`)],
  ["an icon by its name", flow('A@{ icon: "fa:user", form: "square", label: "User", pos: "t", h: 60 }')],
  ["shapes and labels", flow('A@{ shape: rect, label: "an image of img" }')],
  ["line breaks and weights", flow('A["one<br/>two <b>three</b> <i>four</i>"]')],
  ["a gradient of its own", flow("A\n  style A fill:url(#inner)")],
  [
    "classes with generics",
    "classDiagram\n  Animal <|-- Duck\n  class Shelf~T~ {\n    +List~T~ items\n    +style: Style\n  }\n  <<interface>> Animal\n  <<input>> Duck",
  ],
  [
    "types that are called like elements",
    "classDiagram\n  class Shelf {\n    +List<Object> all\n    +Ref<Image> one\n  }",
  ],
  ["comparisons", flow('A["a<b and c>d"] --> C["x <= y"]')],
  ["an address in a text", `sequenceDiagram\n  A->>B: GET ${AT}?src=1&style=2\n  Note over A: see ${AT}`],
  [
    "relations of entities",
    "erDiagram\n  USER ||--o{ PHOTO : img\n  PHOTO {\n    string img\n    string url\n  }",
  ],
  ["colours", "%%{init: {'theme':'base','themeVariables':{'primaryColor':'#ff0000'}}}%%\npie\n  \"a\" : 1"],
  ["a formula", flow('A["$$\\frac{1}{2}$$"]')],
  ["Chinese", "graph TD\n  甲[开始] --> 乙[图片 img：地址]"],
  ["an icon of an architecture", "architecture-beta\n  service db(database)[Database]"],
  ["an edge with an id", flow("A e1@--> C\n  e1@{ animate: true }")],
])("%s is drawn", (_, source) => {
  expect(asksOutside(source)).toBe(false);
});

test.each(["<a ", "&", "&a ", "? ", "/*", "\\", "#", "<a src ", "@{ ", "img ", "url( "])(
  "many of %j are looked through in one pass",
  (part) => {
    expect(asksOutside(part.repeat(50_000 / part.length))).toBe(asksOutside(part + part));
  },
);
