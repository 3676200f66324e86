// The tip under an answer that touches a risk (wire-contract.md §3.4 TIP).
import type { TipFragment } from "@plumb/protocol/conversation/fragment";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import { riskTipText } from "../../platform/texts.ts";
import type { RiskClassifier } from "../../ports/risk-classifier.ts";

/** The tip for an answer, as a fragment without its id; null where none is due. It is shown when the answer is whole. */
export async function riskTip(
  classifier: RiskClassifier,
  answer: string,
  locale: Locale,
): Promise<Omit<TipFragment, "id"> | null> {
  const category = await classifier.classify(answer);
  if (category === null) return null;
  return {
    type: "TIP",
    content: riskTipText(category, locale),
    style: category === "GENERAL" ? "INFO" : "WARNING",
    hide_on_wip: true,
    category,
  };
}
