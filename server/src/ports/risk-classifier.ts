// Which risk an answer touches, so that a tip can stand under it. Adapter: words of each field.
import type { TipCategory } from "@plumb/protocol/conversation/fragment";

/** Promises: never throws, and answers within a second whatever the length. */
export interface RiskClassifier {
  /** The category of an answer; null when it touches none. */
  classify(answer: string): Promise<TipCategory | null>;
}
