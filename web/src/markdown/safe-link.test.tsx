import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { safeLink } from "./safe-link.ts";
import { StreamingMarkdown } from "./streaming-markdown.tsx";

function draw(text: string): string {
  return renderToStaticMarkup(<StreamingMarkdown text={text} streaming={false} />);
}

test.each([
  "README.md",
  "README.md#setup",
  "docs/setup.md",
  "main.py?raw=1",
  "src/x.example",
  "app.ts",
  "../a.b/c",
  "文档/安装.md",
])("%s is a file: words that tell it to whoever points at them, and no link", (file) => {
  expect(draw(`[see](${file}) it`)).toContain(`<span title="${file}">see</span> it</p>`);
});

test("a picture beside the text is its words", () => {
  const html = draw("![a cat](img/cat.png) ![a dog](dog.png)");
  expect(html).toMatch(/<p[^>]*><span[^>]*>a cat<\/span> <span[^>]*>a dog<\/span><\/p>/);
});

test.each([
  ["x.example", "https://x.example/"],
  ["x.example/README.md", "https://x.example/README.md"],
  ["www.x.rs", "https://www.x.rs/"],
  ["docs.rs", "https://docs.rs/"],
  ["bun.sh", "https://bun.sh/"],
  ["notes.py/x", "https://notes.py/x"],
  ["x.py:8080", "https://x.py:8080/"],
  ["//x.py", "https://x.py/"],
  ["https://x.py", "https://x.py/"],
  ["http://router/", "http://router/"],
  ["localhost/a", "https://localhost/a"],
  ["localhost:3000", "https://localhost:3000/"],
  ["192.0.2.1/a", "https://192.0.2.1/a"],
  ["例え.example", "https://xn--r8jz45g.example/"],
])("%s is the address %s", (target, href) => {
  expect(safeLink(target)?.href).toBe(href);
});

test.each(["/c", "#e", "mailto:me@x.example", "javascript:alert(1)"])(
  "%s leaves its words alone",
  (target) => {
    expect(draw(`[a](${target}) b`)).toMatch(/<p[^>]*>a b<\/p>/);
  },
);
