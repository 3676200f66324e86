import { expect, test } from "vitest";
import { createWordClassifier } from "./word-classifier.ts";
import { RISK_WORDS } from "./risk-words.ts";

const { classify } = createWordClassifier();

test.each([
  ["MEDICAL", "Common symptoms are fever and chest pain. Ask a doctor before you take ibuprofen."],
  ["MEDICAL", "高血压患者应按医生的处方服用药物，并注意副作用。"],
  ["LEGAL", "The landlord may begin an eviction, and the tenant can answer in court."],
  ["LEGAL", "您可以申请劳动仲裁，也可以向法院起诉，建议咨询律师。"],
  ["FINANCE", "An index fund of stocks and bonds, with low volatility, suits a first portfolio."],
  ["FINANCE", "股票、基金和债券的收益率各不相同，投资需谨慎。"],
  ["GENERAL", "Mixing bleach and ammonia sets free a toxic gas."],
  ["PROFANITY", "Well, that is fucking good, said the doctor of the court about stocks, bonds and shares."],
] as const)("[ENG-022] %s: %s", async (category, answer) => {
  expect(await classify(answer)).toBe(category);
});

test.each([
  "Paris is the capital of France.",
  "The doctor went to court to sell his shares.",
  "巴黎是法国的首都，医生去了法院。",
  "A class in Scunthorpe assessed the cockpit.",
  "",
])("no tip: %s", async (answer) => {
  expect(await classify(answer)).toBeNull();
});

test("the field with most words wins, and one word said often counts once", async () => {
  expect(await classify("lawyer lawsuit court; doctor symptom diagnosis surgery")).toBe("MEDICAL");
  expect(await classify("doctor ".repeat(100))).toBeNull();
});

test("a very long answer is read to a bound, in several turns", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  const tail = " symptom diagnosis surgery";
  expect(await classify("word ".repeat(1_000_000) + tail)).toBeNull();
  clearInterval(timer);
  expect(await classify("word ".repeat(10_000) + tail)).toBe("MEDICAL");
  expect(turns).toBeGreaterThanOrEqual(1);
});

test("no list holds a word twice, or one of another list", () => {
  const all = Object.values(RISK_WORDS).flat();
  expect(all.filter((word, index) => all.indexOf(word) !== index)).toEqual([]);
  expect(all.every((word) => word.trim() === word && word !== "")).toBe(true);
});
