import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const tokens = new Map(
  [...read("styles/tokens.css").matchAll(/^ {2}--([\w-]+):\s*([^;]+);/gm)].map(
    ([, name = "", value = ""]) => [name, value],
  ),
);

function valueOf(name: string): string {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`No token --${name}.`);
  return value;
}

/** The colour of a token in a theme as #rrggbb. */
function colour(name: string, theme: "light" | "dark"): string {
  const value = valueOf(name);
  const pair = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value);
  return (theme === "light" ? pair?.[1] : pair?.[2]) ?? value;
}

/** WCAG 2: relative luminance of #rrggbb. */
function luminance(hex: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = NaN, dark = NaN] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** The declarations of the first rule for this selector, whatever it excludes with `:not()`, also where only pointers hover. */
function rule(css: string, selector: string): string {
  const body = css
    .replaceAll("@media (hover: hover) {", "")
    .split("}")
    .map((part) => part.split("{"))
    .find(([selectors = ""]) =>
      selectors
        .replace(/\/\*.*?\*\//gs, "")
        .split(/,\n/)
        .some((one) => one.trim().replace(/:not\(.*\)$/, "") === selector),
    )?.[1];
  if (body === undefined) throw new Error(`No rule for ${selector}.`);
  return body;
}

const grounds = ["ground", "surface", "raised"] as const;

describe.each(["light", "dark"] as const)("colours, %s", (theme) => {
  it.each([
    ["ink", 7, grounds],
    ["ink", 7, ["bubble"]],
    ["ink-2", 4.5, grounds],
    ["ink-3", 4.5, grounds],
    ["accent", 4.5, grounds],
    ["accent-strong", 4.5, ["accent-soft"]],
    ["danger", 4.5, [...grounds, "danger-soft"]],
    ["warning", 4.5, [...grounds, "warning-soft"]],
    ["success", 4.5, grounds],
    ["on-accent", 4.5, ["accent", "accent-strong", "accent-pressed"]],
    ["on-danger", 4.5, ["danger-fill"]],
    ["control-line", 3, grounds],
    ["focus-quiet", 3, ["raised", "ground"]],
  ] as const)("%s has at least %d : 1 on %j", (ink, least, on) => {
    for (const ground of on)
      expect(contrast(colour(ink, theme), colour(ground, theme)), ground).toBeGreaterThanOrEqual(least);
  });
});

it("text has the size that the reader has chosen in the browser, all of it", () => {
  const sizes = [...tokens].filter(([name]) => /^(?:text|line)-/.test(name));
  expect(sizes.filter(([, value]) => !/^[\d.]+rem$/.test(value))).toEqual([]);
  const fixed = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".css") && /(?:font-size|line-height):[^;]*\dpx/.test(read(path)),
  );
  expect(fixed).toEqual([]);
  // A size on the root would be what every rem is a multiple of.
  expect(rule(read("styles/base.css"), "html")).not.toContain("font-size");
});

it("the composer and its pills have that line while they rest", () => {
  expect(rule(read("features/composer/composer.module.css"), ".composer")).toContain(
    "border: 1px solid var(--control-line)",
  );
  expect(rule(read("features/composer/mode-toggles.module.css"), ".toggle")).toContain(
    "box-shadow: inset 0 0 0 1px var(--control-line)",
  );
});

describe("a press shows within 80 ms", () => {
  it.each([
    ["ui/button.module.css", ".button", ".primary"],
    ["ui/button.module.css", ".button", ".secondary"],
    ["ui/button.module.css", ".button", ".ghost"],
    ["ui/icon-button.module.css", ".button", ".button"],
    ["features/composer/send-button.module.css", ".button", ".button"],
    ["features/composer/mode-toggles.module.css", ".toggle", ".toggle"],
  ])("%s: %s%s", (path, button, kind) => {
    const css = read(path);
    const ground = (state: string): string =>
      /background: var\(--([\w-]+)\)/.exec(rule(css, `${kind}:${state}`))?.[1] ?? "";
    expect(valueOf("press")).toBe("80ms");
    expect(rule(css, button)).toContain("transition: background-color var(--press)");
    expect(valueOf(ground("active"))).not.toBe(valueOf(ground("hover")));
  });
});
