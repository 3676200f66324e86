import fc from "fast-check";
import { expect, test } from "vitest";
import { encoded } from "../testing/encoded.fixture.ts";
import { sampleTexts } from "../testing/sample-texts.fixture.ts";
import { detectEncoding } from "./detect-encoding.ts";

const pairs: readonly (readonly [keyof typeof sampleTexts, string])[] = [
  ["simplifiedChinese", "gb18030"],
  ["traditionalChinese", "big5"],
  ["japanese", "shift_jis"],
  ["japanese", "euc-jp"],
  ["french", "windows-1252"],
  ["german", "windows-1252"],
];

const decoded = (bytes: Uint8Array): string | null => {
  const encoding = detectEncoding({ bytes, isCut: false });
  return encoding === null ? null : new TextDecoder(encoding).decode(bytes);
};

test.each(pairs)("any 40 characters and more of a %s text in %s are read as they are", (name, encoding) => {
  const text = sampleTexts[name];
  fc.assert(
    fc.property(fc.nat(text.length - 40), fc.integer({ min: 40, max: text.length }), (start, length) => {
      const piece = text.slice(start, start + length);
      expect(decoded(encoded(piece, encoding))).toBe(piece);
    }),
    { numRuns: 300 },
  );
});

test.each(Object.keys(sampleTexts) as (keyof typeof sampleTexts)[])(
  "any piece of a %s text in a form of Unicode is read as it is, with a mark and without",
  (name) => {
    const text = sampleTexts[name];
    fc.assert(
      fc.property(
        fc.constantFrom("utf-8", "utf-16le", "utf-16be"),
        fc.boolean(),
        fc.nat(text.length - 60),
        fc.integer({ min: 60, max: text.length }),
        (encoding, marked, start, length) => {
          const piece = text.slice(start, start + length);
          // UTF-16 shows without a mark by a zero byte and by what separates words and sentences.
          fc.pre(marked || encoding === "utf-8" || /\n/.test(piece));
          expect(decoded(encoded(`${marked ? "\u{feff}" : ""}${piece}`, encoding))).toBe(piece);
        },
      ),
      { numRuns: 200 },
    );
  },
);

test.each([
  ["a table in Japanese", "名前,年齢,都市\n山田太郎,28,東京\n鈴木一郎,35,大阪\n", "shift_jis"],
  ["a table in Japanese", "名前,年齢,メモ\n山田太郎,28,東京から\n鈴木一郎,35,大阪\n", "euc-jp"],
  ["a chat in Korean", "안녕하세요, 내일 뭐 하세요? 저는 학교에 가요 ㅋㅋㅋ", "euc-kr"],
  ["a table in Chinese", "姓名,年龄,城市\n张三,28,北京\n李四,35,上海\n", "gb18030"],
  ["a comment in source code", "int main() { return 0; } // 程序从这里开始，没有参数\n", "gb18030"],
  ["one name", "Zoë Müller", "windows-1252"],
])("%s is read as it is", (_, text, encoding) => {
  expect(decoded(encoded(text, encoding))).toBe(text);
});

test.each([
  ["gb18030", ["你好", "hello 你好", "产品价格表", "测试", "备注", "会议纪要", "今天天气很好"]],
  ["big5", ["你好", "測試", "姓名,年齡", "會議紀錄", "今天天氣很好"]],
  ["shift_jis", ["こんにちは", "テスト", "会議", "日本語"]],
  ["euc-jp", ["こんにちは", "テスト", "会議の日時"]],
  ["euc-kr", ["안녕하세요", "이름,나이", "한국어 문서"]],
])("a few words in %s are read as they are", (encoding, texts) => {
  expect(texts.map((text) => decoded(encoded(text, encoding)))).toEqual(texts);
});

test("Japanese between escapes is read as it is; colours of a log are no Japanese", () => {
  const japanese = Buffer.from("1b2442467c4b5c386c1b284220", "hex");
  expect(decoded(japanese)).toBe("日本語 ");
  expect(decoded(Buffer.from("\u001b[31mred\u001b[0m $B cost"))).toBe("\u001b[31mred\u001b[0m $B cost");
});

test("a character that the end of the sample cuts does not hide UTF-8", () => {
  const bytes = Buffer.from("自由".repeat(20));
  for (const length of [120, 119, 118])
    expect(detectEncoding({ bytes: bytes.subarray(0, length), isCut: true })).toBe("utf-8");
});

test("bytes without any plan are no text", () => {
  const random = Buffer.from(
    Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3) * 104729) & 255),
  );
  expect(detectEncoding({ bytes: random, isCut: true })).toBeNull();
});
