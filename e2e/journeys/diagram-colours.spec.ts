// Diagrams of every kind that models write can be read, in both themes, also where their source brings colours of its own.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

const sources = [
  `flowchart TD
  A[Start] -->|yes| B{Choice}
  B --> C[(Data)]
  B -.-> D((End))
  subgraph Part
    C ==> E>Flag]
  end
  A --> F["<b>Written</b> by its author"]
  classDef hot fill:#f96,stroke:#333
  class C hot
  style F fill:#f9f,stroke:#333,stroke-width:4px
  style Part fill:#eee
  style A fill:#033`,
  `stateDiagram-v2
  classDef bad fill:#fcc
  [*] --> Still
  Still --> Moving : go
  state Moving {
    [*] --> Slow
    Slow --> Fast
  }
  note right of Still : A note
  class Moving bad`,
  `sequenceDiagram
  autonumber
  box Aqua The front
  participant A as Alice
  end
  participant B as Bob
  rect rgb(200, 255, 200)
  A->>+B: Hello
  B--xA: Not
  end
  Note over A,B: A note
  loop each day
    B->>-A: ping
  end`,
  `mindmap
  root((Testing))
    Unit
      Fast
    Security
      Static analysis
    [Square]
      (Rounded)
    UX
      ))Bang((
    Load
      )Cloud(
    Extra
      {{Hex}}`,
  `timeline
  title History of the web
  section Early
    1989 : Proposal
    1991 : First site : HTML
  section Late
    1995 : JavaScript
    2008 : Chrome`,
  `kanban
  Todo
    [Write docs]
  [In progress]
    [Renderer]
  Done
    [Tests]`,
  `journey
  title My working day
  section Go to work
    Make tea: 5: Me
    Do work: 1: Me, Cat
  section Go home
    Sit down: 5: Me`,
  `gitGraph
  commit id: "init"
  branch develop
  checkout develop
  commit id: "work" tag: "v1.0"
  branch feature
  commit id: "more" type: HIGHLIGHT
  checkout main
  merge develop`,
  `quadrantChart
  title Reach and engagement
  x-axis Low Reach --> High Reach
  y-axis Low Engagement --> High Engagement
  quadrant-1 Expand
  quadrant-2 Promote
  quadrant-3 Think again
  quadrant-4 Improve
  Campaign A: [0.3, 0.6]`,
  `xychart-beta
  title "Sales"
  x-axis [jan, feb, mar]
  y-axis "Revenue" 4000 --> 11000
  bar [5000, 6000, 7500]
  line [5000, 6000, 7500]`,
  `gantt
  title A plan
  dateFormat YYYY-MM-DD
  excludes weekends
  section One
    A task :a1, 2024-01-01, 30d
    Done task :done, 2024-01-12, 22d
  section Two
    Active :active, 2024-01-05, 24d
    Critical :crit, 2024-02-10, 10d`,
  `radar-beta
  axis m["Math"], s["Science"], e["English"]
  curve a["Alice"]{85, 90, 80}
  curve b["Bob"]{70, 75, 85}`,
  `packet-beta
  0-15: "Source Port"
  16-31: "Destination Port"`,
  `treemap-beta
"Category A"
    "Item A1": 10
    "Item A2": 20
"Category B"
    "Item B1": 15`,
  `C4Context
  title System Context
  Person(customer, "Customer", "A customer of the bank")
  System(bank, "Internet Banking", "Lets them see accounts")
  Rel(customer, bank, "Uses")`,
  `erDiagram
  CUSTOMER ||--o{ ORDER : places
  CUSTOMER {
    string name
    string email PK
  }`,
  `pie showData title Pets
  "Dogs" : 386
  "Cats" : 85
  "Birds" : 60`,
  // What their authors chose for the theme they thought of.
  `%%{init: {'theme':'base','themeVariables':{'primaryColor':'#BB2528','primaryTextColor':'#fff','primaryBorderColor':'#7C0000','lineColor':'#F8B229','secondaryColor':'#006100','tertiaryColor':'#fff'}}}%%
flowchart TD
  A[Start] -->|yes| B{Choice}
  subgraph Part
    B --> C[End]
  end
  D[White] -- no --> E[Black]
  style D color:#fff
  style E color:#000
  linkStyle default stroke:#fff,color:#fff
  linkStyle 1 color:#000`,
  `---
config:
  theme: dark
  themeVariables:
    textColor: "#fff"
    signalTextColor: "#fff"
    actorTextColor: "#fff"
    noteTextColor: "#fff"
    labelTextColor: "#fff"
    loopTextColor: "#fff"
---
sequenceDiagram
  Alice->>Bob: Hello
  Note over Alice,Bob: A note
  loop each day
    Bob->>Alice: ping
  end`,
  `%%{init: {'theme':'forest','themeVariables':{'textColor':'#fff','pieTitleTextColor':'#fff','pieLegendTextColor':'#fff','pieSectionTextColor':'#fff','titleColor':'#fff'}}}%%
pie title Pets
  "Dogs" : 386
  "Cats" : 85`,
  `%%{init: {'gantt':{'theme':'neutral'},'themeVariables':{'taskTextColor':'#fff','titleColor':'#fff','taskTextOutsideColor':'#fff'}}}%%
gantt
  title A plan
  dateFormat YYYY-MM-DD
  section One
    A task :a1, 2024-01-01, 30d
    A short one :a2, 2024-01-01, 1d`,
  `flowchart TD
  A[Start] -->|yes| B{Choice}
  B --> C[(Data)]
  B -.-> D((End))
  subgraph Part
    D --> E[Dark below]
  end
  classDef ghost fill:#fff,stroke:#fff,color:#fff
  class C ghost
  style D fill:none,stroke:#ffffff,color:#fff
  style Part fill:#111,stroke:#111,color:#111
  style E fill:none,stroke:#fff,color:#fff
  linkStyle 0 stroke:#fff,stroke-width:2px,color:#fff
  linkStyle 1 stroke:#111
  linkStyle default stroke:white`,
  `classDiagram
  A <|-- B : is
  style A fill:#fff,stroke:#fff,color:#fff
  style B fill:#111,stroke:#111,color:#111`,
  `C4Context
  Enterprise_Boundary(b0, "Bank") {
    Person(customer, "Customer", "A customer of the bank")
    System(bank, "Internet Banking", "Lets them see accounts")
  }
  System_Ext(mail, "Mail", "Sends")
  Rel(customer, bank, "Uses", "HTTPS")
  BiRel(bank, mail, "Sends")
  UpdateElementStyle(customer, $fontColor="white", $bgColor="white", $borderColor="white")
  UpdateElementStyle(mail, $fontColor="black", $bgColor="black", $borderColor="black")
  UpdateRelStyle(customer, bank, $textColor="white", $lineColor="white")
  UpdateRelStyle(bank, mail, $textColor="black", $lineColor="black")`,
];

/** Keeps every drawing that the sandboxed page gives back. */
async function keepDrawings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawings: string[] = [];
    Object.assign(window, { drawings });
    window.addEventListener("message", (event: MessageEvent<{ svg?: unknown }>) => {
      if (typeof event.data.svg === "string") drawings.push(event.data.svg);
    });
  });
}

/** Words of a drawing whose contrast to what lies below them is under 4.5 (WCAG 2.2, 1.4.3), as "word: contrast". */
function faintWords({ svg, ground }: { svg: string; ground: string }): string[] {
  type Colour = [number, number, number];
  const partsOf = (colour: string): number[] => colour.match(/[\d.]+/g)?.map(Number) ?? [];
  const luminance = (colour: Colour): number => {
    const [red, green, blue] = colour.map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as Colour;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: Colour, other: Colour): number => {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
    return (lighter + 0.05) / (darker + 0.05);
  };
  document.body.innerHTML = svg;
  document.body.style.background = ground;
  const root = document.querySelector("svg");
  if (root === null) return ["no picture"];
  const shapes = [...root.querySelectorAll<SVGGeometryElement>("rect, path, circle, ellipse, polygon")];
  const faint: string[] = [];
  // The number of a message stands on a marker, which is no shape in the page.
  for (const word of root.querySelectorAll("text:not(.sequenceNumber)")) {
    const place = word.getBoundingClientRect();
    if (word.textContent.trim() === "" || place.width === 0) continue;
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    // What is painted later lies above.
    let below = partsOf(ground) as Colour;
    for (const shape of shapes) {
      if ((shape.compareDocumentPosition(word) & Node.DOCUMENT_POSITION_FOLLOWING) === 0) continue;
      if (shape.closest("defs, marker, symbol, clipPath") !== null) continue;
      const style = getComputedStyle(shape);
      const [red = 0, green = 0, blue = 0, alpha = 1] = partsOf(style.fill);
      if (style.fill === "none" || style.visibility === "hidden") continue;
      const matrix = shape.getScreenCTM();
      if (matrix === null || !shape.isPointInFill(new DOMPoint(x, y).matrixTransform(matrix.inverse())))
        continue;
      const strength = alpha * Number(style.fillOpacity) * Number(style.opacity);
      below = below.map((byte, index) => byte + ([red, green, blue][index]! - byte) * strength) as Colour;
    }
    for (const part of word.querySelectorAll("tspan").length > 0 ? word.querySelectorAll("tspan") : [word]) {
      const ink = partsOf(getComputedStyle(part).fill).slice(0, 3) as Colour;
      const value = contrast(ink, below);
      if (part.textContent.trim() !== "" && value < 4.5)
        faint.push(`${part.textContent.trim()}: ${value.toFixed(1)} (${ink.join()} on ${below.join()})`);
    }
  }
  return faint;
}

/** Lines and borders of unfilled parts that have less than 3:1 to the ground (WCAG 2.2, 1.4.11), as "line: contrast". */
function faintLines({ svg, ground }: { svg: string; ground: string }): string[] {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((byte) => {
      const part = Number(byte) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (colour: string): number => {
    const [darker = 0, lighter = 0] = [luminance(colour), luminance(ground)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  };
  document.body.innerHTML = svg;
  const lines = ".edgePaths path, .relation, .transition, [marker-end], marker[id*='End_'] > *";
  const borders = ".node > .label-container, .node > .basic > *";
  return [...document.querySelectorAll<SVGElement>(`${lines}, ${borders}`)].flatMap((line) => {
    const { stroke, fill } = getComputedStyle(line);
    const isSeen = line.matches(borders) && fill.startsWith("rgb(") && contrast(fill) >= 3;
    if (!stroke.startsWith("rgb(") || isSeen || contrast(stroke) >= 3) return [];
    return [`${line.getAttribute("class")} ${stroke}: ${contrast(stroke).toFixed(1)}`];
  });
}

/** The drawings kept so far with the ink that the page has: those for paper have another one. */
const drawingsOf = (page: Page) =>
  page.evaluate(() => {
    const parts = getComputedStyle(document.body).color.match(/\d+/g) ?? [];
    const ink = `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
    return (window as unknown as { drawings: string[] }).drawings.filter((svg) => svg.includes(ink));
  });

test("the words of diagrams of every kind have at least 4.5:1 and their lines 3:1, in both themes, whatever colours their authors give them", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`).join(""),
  });
  const session = await account.ask(question);
  for (const theme of ["dark", "light"] as const) {
    const page = await openAs(account, { preferences: { theme } });
    await page.setViewportSize({ width: 1440, height: 900 });
    await keepDrawings(page);
    await page.goto(`/a/chat/s/${session}`);
    const chat = new ChatPage(page);
    await expect(
      chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") }).last(),
    ).toBeVisible();
    // Those far above are drawn when they come near.
    await page.mouse.move(700, 400);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -500);
        return (await drawingsOf(page)).length;
      })
      .toBe(sources.length);
    const drawings = await drawingsOf(page);
    const ground = await page.evaluate(() => {
      const probe = document.createElement("span");
      probe.style.backgroundColor = "var(--surface)";
      document.body.append(probe);
      return getComputedStyle(probe).backgroundColor;
    });
    // A page without the policy of ours, which would not let the picture's own style in.
    await page.goto("about:blank");
    const faint: Record<string, string[]> = {};
    for (const svg of drawings) {
      const words = [
        ...(await page.evaluate(faintWords, { svg, ground })),
        ...(await page.evaluate(faintLines, { svg, ground })),
      ];
      if (words.length > 0) faint[/aria-roledescription="([^"]*)"/.exec(svg)?.[1] ?? "?"] = words;
    }
    expect(faint, theme).toEqual({});
    await page.close();
  }
});

test("escaped characters and generic types in a diagram are read as its author meant them, and are never markup", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sources = [
    `flowchart TD
  A["say #quot;hi#quot; #35;1 #9829;"] -->|"x #gt; 5 #quot;q#quot;"| B["x < y & z"]
  subgraph S["Part #quot;one#quot;"]
    C["&nbsp;&nbsp;in &copy; &quot;q&quot; &#39;s&#39;"]
  end
  D["#lt;b#gt; &lt;i&gt; &amp;lt;"] --> E["List<Int> = <>"] --> F(of List<Tree>) --> G{n > 5?}`,
    "classDiagram\n  class Repo {\n    -List<Order> orders\n    +getAll() List<Order>\n  }",
    "sequenceDiagram\n  Alice->>Bob: a < b, List<Order> &copy; #59;\n  Note over Alice: #quot;q#quot;<br/>&lt;b&gt;",
  ];
  const words = [
    'say "hi" #1 ♥',
    'x > 5 "q"',
    "x < y & z",
    'Part "one"',
    "\u00A0\u00A0in © \"q\" 's'",
    "<b> <i> &lt;",
    "List<Int> = <>",
    "of List<Tree>",
    "n > 5?",
    "-List<Order> orders",
    "+getAll() : List<Order>",
    "a < b, List<Order> © ;",
    '"q"',
    "<b>",
  ];
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`).join(""),
  });
  const session = await account.ask(question);
  const page = await openAs(account);
  await keepDrawings(page);
  await page.goto(`/a/chat/s/${session}`);
  await expect.poll(async () => (await drawingsOf(page)).length, { timeout: 25_000 }).toBe(sources.length);
  const drawings = await drawingsOf(page);
  await page.goto("about:blank");
  const shown = await page.evaluate((all) => {
    const pictures = all.map((svg) => new DOMParser().parseFromString(svg, "image/svg+xml"));
    const find = (selector: string) => pictures.flatMap((picture) => [...picture.querySelectorAll(selector)]);
    return {
      texts: find("text, text > tspan").map((text) => text.textContent),
      strange: find("b, i, Int, Order, Tree, parsererror").length,
    };
  }, drawings);
  await page.close();
  expect(shown.texts).toEqual(expect.arrayContaining(words));
  expect(shown.strange).toBe(0);
});
