// What an announcement may look like (wire-contract.md §6.6). Who is to see it is the page's to decide.
import { isRecord } from "../wire/json.ts";
import type { Banner, BannerItem } from "../wire/site.ts";

const TYPES: readonly unknown[] = ["info", "warning", "error"];
const CONDITIONS: readonly unknown[] = ["authenticated", "unauthenticated"];
const STAGES: readonly unknown[] = ["staging", "production"];

/** The document, or null where it has no id, no items, or a field that is not what it should be: then it counts for nothing. */
export function readBanner(value: unknown): Banner | null {
  if (!isRecord(value)) return null;
  const { id, items } = value;
  if (!(typeof id === "number" || (typeof id === "string" && id !== ""))) return null;
  if (!Array.isArray(items) || items.length === 0 || !items.every(isItem)) return null;
  return { id, items };
}

function isItem(value: unknown): value is BannerItem {
  if (!isRecord(value)) return false;
  const { show, showCondition, showDeployEnv, showByAppId, type, closable, content } = value;
  return (
    typeof show === "boolean" &&
    typeof closable === "boolean" &&
    TYPES.includes(type) &&
    isAbsentOr(showCondition, (given) => CONDITIONS.includes(given)) &&
    isAbsentOr(showDeployEnv, (given) => STAGES.includes(given)) &&
    isAbsentOr(showByAppId, isTexts) &&
    isRecord(content) &&
    isTexts(Object.values(content))
  );
}

function isAbsentOr(value: unknown, fits: (given: unknown) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
