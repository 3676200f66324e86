import { expect, test } from "../support/journey.ts";

const attacks = [
  "<script>window.attacked = 1</script>",
  '<img src="x" onerror="window.attacked = 2">',
  '<svg onload="window.attacked = 3"></svg>',
  "[click](javascript:window.attacked=4)",
  "[click](JaVaScRiPt&#58;window.attacked=5)",
  "[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![image](javascript:window.attacked=6)",
  "<javascript:window.attacked=7>",
  '<a href="vbscript:x" onclick="window.attacked=8">raw</a>',
  '<iframe srcdoc="<script>parent.attacked=9</script>"></iframe>',
  "$\\href{javascript:window.attacked=10}{x}$",
  "$\\htmlData{onclick=window.attacked=11}{x}$",
  '[title](https://example.com "\\" onmouseover=\\"window.attacked=12")',
  "```html\n<script>window.attacked=13</script>\n```",
  "<style>body{display:none}</style>",
  '<meta http-equiv="refresh" content="0;url=https://example.com">',
  '<form action="https://example.com"><button>go</button></form>',
  "![track](http://192.0.2.99/pixel.png)",
];

test("hostile markdown in a reply and in a question executes nothing and fetches nothing", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(page.url()).origin) foreign.push(request.url());
  });
  const prompt = `${question}\n\n${attacks.join("\n\n")}`;
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: attacks.join("\n\n"),
    chunkChars: 7,
    paceMs: 1,
  });
  upstream.script({
    match: { user: question, kind: "title" },
    answer: "<img src=x onerror=window.attacked=20>",
  });

  const harmless = async (): Promise<void> => {
    const found = await page.evaluate(() => {
      const inside = [...document.querySelectorAll("article, nav")];
      const elements = inside.flatMap((part) => [...part.querySelectorAll("*")]);
      const handlers = elements.flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on") && !name.startsWith("on-")),
      );
      const links = elements.flatMap((element) => element.getAttribute("href") ?? []);
      return {
        attacked: Reflect.get(window, "attacked") as unknown,
        forbidden: inside.flatMap((part) =>
          [...part.querySelectorAll("script, iframe, object, embed, style, meta, form")].map(
            ({ tagName }) => tagName,
          ),
        ),
        handlers,
        links: links.filter((href) => !/^(https?:|mailto:|\/|#)/.test(href)),
      };
    });
    expect(found).toEqual({ attacked: undefined, forbidden: [], handlers: [], links: [] });
    expect(foreign).toEqual([]);
  };
  await chat.send(prompt);
  await chat.finished();
  await harmless();
  for (const link of await chat.lastReply.getByRole("link", { name: /click|raw/ }).all()) {
    expect(await link.getAttribute("href")).toMatch(/^https?:/);
  }
  await page.reload();
  await expect(chat.lastReply).toBeVisible();
  await expect(chat.lastReply.locator("pre").first()).toBeVisible();
  await harmless();
});
