import { isolated } from "./isolated-direction.ts";

/**
 * The text of a key with its `{{params}}` filled in. A key that counts stands in the file as `key_one` and `key_other`
 * and is chosen by `params.count`. An unknown key gives itself, and a param that is not given stays as it is written.
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
  return text.replace(/\{\{(\w+)\}\}/g, (written, name: string) => isolated(String(params[name] ?? written)));
}
