import { isolated } from "./isolated-direction.ts";

/**
 * The text of a key with its `{{params}}` filled in. A key that counts stands in the file as `key_one` and `key_other`
 * and is chosen by `params.count`. An unknown key gives itself, and a param that is not given stays as it is written.
 * Numbers are grouped as the locale does ("10,000"), but for the `code` of a refusal.
 */
export function fillText(
  texts: Readonly<Record<string, string>>,
  plurals: Intl.PluralRules,
  key: string,
  params: Readonly<Record<string, string | number>> = {},
): string {
  const { count } = params;
  const counted = typeof count === "number" ? texts[`${key}_${plurals.select(count)}`] : undefined;
  const text = counted ?? texts[key] ?? texts[`${key}_other`] ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (written, name: string) => {
    const value = params[name] ?? written;
    const isAmount = typeof value === "number" && value >= 1000 && name !== "code";
    return isAmount ? value.toLocaleString(plurals.resolvedOptions().locale) : isolated(String(value));
  });
}
