import { expect, it } from "vitest";
import { withHiddenCharacters } from "./diagram-characters.ts";

/** With what is hidden shown in corner brackets. */
const marked = (source: string): string =>
  withHiddenCharacters(source).replace(
    /[\uF700-\uF7FF]/g,
    (hidden) => `「${String.fromCharCode(hidden.charCodeAt(0) - 0xf700)}」`,
  );
const room = "「\u00A0」";

it.each([
  ['A["#35;1 #9829; &#39;s&#39; &#x22;"]', 'A["「#」1 ♥ 「\'」s「\'」 「"」"]'],
  ['A["&#32;&#160;x&#8195;"]', `A["${room}${room}x${room}"]`],
  ["A -->|a < b && c| B & C", "A -->|a < b && c| B & C"],
  ["A#1; B#0; C&#xD800; D&#99999999; E#x110000;", "A#1; B#0; C&#xD800; D&#99999999; E#x110000;"],
  ["style A fill:#333;\nclassDef hot stroke:#123;", "style A fill:#333;\nclassDef hot stroke:#123;"],
  ["A --> B; linkStyle 0 color:#333;\nA[#51;]", "A --> B; linkStyle 0 color:#333;\nA[「3」]"],
  ["-List<Order> orders", "-List「<」Order「>」 orders"],
  ['C["List<String> l = new ArrayList<>()"]', 'C["List「<」String「>」 l = new ArrayList<>()"]'],
  ["A[one<br>two<br/>three</br>four<BR />five]", "A[one<br>two<br/>three</br>four<BR />five]"],
  ["Map<broker> and </p>", "Map「<」broker「>」 and 「<」/p>"],
  ["A <--> B\nC <|-- D\n<<interface>> E\nF<--G", "A <--> B\nC <|-- D\n<<interface>> E\nF<--G"],
  ["A{x > 5} -->|y >= 6| B", "A{x 「>」 5} -->|y 「>」= 6| B"],
  ['A>"shape"] ==> B[a <b] --> C', 'A>"shape"] ==> B[a 「<」b] --> C'],
  ["A(列表 Map<键, int>)", "A(列表 Map<键, int>)"],
])("hides what stands for a character and what would be a tag: %j", (source, hidden) => {
  expect(marked(source)).toBe(hidden);
});

it("asks the browser what a name stands for, and leaves what is none", () => {
  const reader = {
    set innerHTML(reference: string) {
      this.textContent = { "&quot;": '"', "&amp;": "&", "&nbsp;": "\u00A0" }[reference] ?? reference;
    },
    textContent: "",
  };
  Object.assign(globalThis, { document: { createElement: () => reader } });
  try {
    expect(marked("#quot;a&quot; &amp;lt; &nbsp;&nbsp;b #nosuch; &nosuch;")).toBe(
      `「"」a「"」 「&」lt; ${room}${room}b #nosuch; &nosuch;`,
    );
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
});

it.each([
  "<",
  "<a",
  "<br ",
  "#",
  "&",
  "&#",
  "#a",
  "#1",
  "%%{init",
  " > ",
  "<a>",
  "; ",
  "style ",
  ";style",
  "<br\t\t",
])("many of %j are looked through in one pass", (part) => {
  // By the square of its length this would take longer than a test may.
  const text = part.repeat(1_000_000 / part.length);
  expect(withHiddenCharacters(text)).toHaveLength(text.length);
});
