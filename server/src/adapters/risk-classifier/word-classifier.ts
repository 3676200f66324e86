// Tells by its words which risk an answer touches.
import type { TipCategory } from "@plumb/protocol/conversation/fragment";
import { ownTurn } from "../../platform/own-turn.ts";
import { WordMatcher } from "../../platform/words/word-matcher.ts";
import type { RiskClassifier } from "../../ports/risk-classifier.ts";
import { RISK_WORDS } from "./risk-words.ts";

/** By then an answer has said what it is about, in code units. */
const READ_CHARS = 256 * 1024;
const TURN_CHARS = 32 * 1024;
/** Different words of a field that make it the answer's subject; one alone is only mentioned. A coarse word is one too many. */
const LEAST: Record<TipCategory, number> = { PROFANITY: 1, MEDICAL: 3, LEGAL: 3, FINANCE: 3, GENERAL: 2 };
/** Where two fields have as many words, the first of these is told. */
const ORDER = ["PROFANITY", "MEDICAL", "LEGAL", "FINANCE", "GENERAL"] as const satisfies TipCategory[];

export function createWordClassifier(): RiskClassifier {
  const categories = ORDER.flatMap((category) => RISK_WORDS[category].map(() => category));
  const matcher = new WordMatcher(ORDER.flatMap((category) => [...RISK_WORDS[category]]));
  return {
    async classify(answer) {
      const found = new Set<number>();
      const reading = matcher.read((word) => found.add(word));
      const read = Math.min(answer.length, READ_CHARS);
      for (let from = 0; from < read; from += TURN_CHARS) {
        if (from > 0) await ownTurn();
        reading.push(answer.slice(from, Math.min(read, from + TURN_CHARS)));
      }
      reading.end();
      const counts = new Map<TipCategory, number>();
      for (const word of found) {
        const category = categories[word];
        if (category !== undefined) counts.set(category, (counts.get(category) ?? 0) + 1);
      }
      const due = ORDER.filter((category) => (counts.get(category) ?? 0) >= LEAST[category]);
      if (due.includes("PROFANITY")) return "PROFANITY";
      return due.reduce<TipCategory | null>(
        (best, category) =>
          best === null || (counts.get(category) ?? 0) > (counts.get(best) ?? 0) ? category : best,
        null,
      );
    },
  };
}
