import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import accountEn from "./account.en_US.json";
import accountZh from "./account.zh_CN.json";
import captchaEn from "./captcha.en_US.json";
import captchaZh from "./captcha.zh_CN.json";
import codesEn from "./codes.en_US.json";
import codesZh from "./codes.zh_CN.json";
import dialogsEn from "./dialogs.en_US.json";
import dialogsZh from "./dialogs.zh_CN.json";
import engineTexts from "./engine-texts.json";
import baseEn from "./en_US.json";
import filesEn from "./files.en_US.json";
import filesZh from "./files.zh_CN.json";
import formsEn from "./forms.en_US.json";
import formsZh from "./forms.zh_CN.json";
import noticesEn from "./notices.en_US.json";
import noticesZh from "./notices.zh_CN.json";
import offlineEn from "./offline.en_US.json";
import offlineZh from "./offline.zh_CN.json";
import personasEn from "./personas.en_US.json";
import personasZh from "./personas.zh_CN.json";
import sharingEn from "./sharing.en_US.json";
import sharingZh from "./sharing.zh_CN.json";
import baseZh from "./zh_CN.json";

const en = {
  ...baseEn,
  ...captchaEn,
  ...accountEn,
  ...codesEn,
  ...dialogsEn,
  ...filesEn,
  ...formsEn,
  ...noticesEn,
  ...offlineEn,
  ...personasEn,
  ...sharingEn,
};
const zh = {
  ...baseZh,
  ...captchaZh,
  ...accountZh,
  ...codesZh,
  ...dialogsZh,
  ...filesZh,
  ...formsZh,
  ...noticesZh,
  ...offlineZh,
  ...personasZh,
  ...sharingZh,
};

const sourceRoot = join(import.meta.dirname, "..");
const source = readdirSync(sourceRoot, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes("testing/"))
  .map((path) => readFileSync(join(sourceRoot, path), "utf8"))
  .join("\n");
const literals = new Set([...source.matchAll(/"([\w.-]+)"/g)].map((match) => match[1] ?? ""));

const withoutCount = (key: string) => key.replace(/_(one|other)$/, "");
const params = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)\s*\}\}|<\w+>/g)].map(([param]) => param).toSorted();

test("no text stands in two files", () => {
  const keys = [
    baseEn,
    accountEn,
    captchaEn,
    codesEn,
    dialogsEn,
    filesEn,
    formsEn,
    noticesEn,
    offlineEn,
    personasEn,
    sharingEn,
  ].flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test("both languages have the same keys, and no text is empty [I18N-001] [I18N-004]", () => {
  expect(Object.keys(zh)).toEqual(Object.keys(en));
  expect([...Object.values(en), ...Object.values(zh)].filter((text) => text.trim() === "")).toEqual([]);
});

test("a text takes the same values in both languages", () => {
  const different = Object.entries(en).filter(
    ([key, text]) => params(text).join() !== params((zh as Record<string, string>)[key] ?? "").join(),
  );
  expect(different).toEqual([]);
});

test("a counted text has both its forms", () => {
  const forms = Object.keys(en).filter((key) => withoutCount(key) !== key);
  const bases = new Set(forms.map(withoutCount));
  expect(forms).toHaveLength(bases.size * 2);
});

test("every key is used somewhere", () => {
  expect(Object.keys(en).filter((key) => !literals.has(withoutCount(key)))).toEqual([]);
});

test("every key the source names exists", () => {
  const known = new Set(Object.keys(en).map(withoutCount));
  const areas = new Set([...known].filter((key) => key.includes(".")).map((key) => key.split(".")[0]));
  const named = [...literals].filter((text) => /^\w+\.[a-z]\w*$/.test(text) && areas.has(text.split(".")[0]));
  expect(named.filter((key) => !known.has(key))).toEqual([]);
});

test("the engine's texts are those of the locale files", () => {
  for (const [key, { en_US, zh_CN }] of Object.entries(engineTexts)) {
    expect([key, (en as Record<string, string>)[key]]).toEqual([key, en_US]);
    expect([key, (zh as Record<string, string>)[key]]).toEqual([key, zh_CN]);
  }
});
