// Which of an endpoint's models people may choose between (setting MODELS). Pure.
import type { Config } from "../../config.ts";
import { printable } from "../../platform/printable-text.ts";
import type { OfferedModel } from "../../ports/model-provider.ts";
import { isChatModel, type ListedModel } from "./endpoint-kind.ts";

type Offer = Config["model"]["offered"];

/** The page gets them all: a marketplace of thousands is no choice. */
const MOST = 100;

/** `listed` is undefined while the endpoint has not told its models, and empty where it keeps no list. */
export function offeredModels(offer: Offer, listed: readonly ListedModel[] | undefined): OfferedModel[] {
  if (offer === "*") {
    return (listed ?? [])
      .filter(isChatModel)
      .slice(0, MOST)
      .map(({ id }) => ({ id, name: printable(id), listed: true }));
  }
  const known = listed === undefined || listed.length === 0 ? null : new Set(listed.map(({ id }) => id));
  return offer.map(({ id, name }) => ({ id, name, listed: known === null || known.has(id) }));
}

/** Undefined while that cannot be known: all models are offered, and the endpoint has not told them yet. */
export function isOffered(
  offer: Offer,
  listed: readonly ListedModel[] | undefined,
  id: string,
): boolean | undefined {
  if (offer === "*" && listed === undefined) return undefined;
  return offeredModels(offer, listed).some((model) => model.id === id);
}
