import { afterEach, expect, test, vi } from "vitest";
import { copySelection } from "./copy-selection.ts";
import { englishLabels } from "./testing/english-markdown.tsx";
import { selectedIn } from "./testing/selected-page.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The plain text that is copied of what is selected; null where the browser copies. */
function copied(target = "article"): string | null {
  const data = new Map<string, string>();
  const event = {
    target: document.querySelector(target),
    clipboardData: { setData: (type: string, text: string) => data.set(type, text) },
    preventDefault: () => undefined,
  };
  copySelection(event as unknown as ClipboardEvent, englishLabels);
  return data.get("text/plain") ?? null;
}

/** Some HTML in a message, below a box to write in. */
function select(html: string): void {
  selectedIn(`<textarea></textarea><div data-message-id="2"><article>${html}</article></div>`);
}

const bar = '<div data-uncopied=""><span>js</span><button>Copy</button></div>';

test.each([
  [
    "between codes",
    `<p>«One</p><div>»${bar}<pre>«a = 1;\n</pre></div><div>»${bar}<pre>«b = 2;\n</pre></div><p>Two»</p>`,
    "One\n\na = 1;\n\nb = 2;\n\nTwo",
  ],
  ["within a list", "<ol><li>One «a</li><li>b» <button>x</button> «c»</li></ol>", "1. a\n2. b c"],
])("what a browser selects in parts, without presses %s, is copied whole", (_where, html, text) => {
  select(html);
  expect(copied()).toBe(text);
});

test.each([
  ["in one paragraph", "<p>«One» and «two»</p>"],
  ["in two", "<p>«One»</p><p>and</p><p>«two»</p>"],
])("parts that somebody chose %s are copied by the browser, which knows them", (_where, html) => {
  select(html);
  expect(copied()).toBeNull();
});

test("words of a box are copied though those of a message are selected, too", () => {
  select("<p>«One</p><p>Two»</p>");
  const box = Object.assign(document.querySelector("textarea") ?? {}, { selectionStart: 0, selectionEnd: 3 });
  expect(copied("textarea")).toBeNull();
  expect(copied()).toBe("One\n\nTwo");
  Object.assign(box, { selectionEnd: 0 });
  expect(copied("textarea")).toBe("One\n\nTwo");
});
