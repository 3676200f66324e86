import { useRef, useState } from "react";
import type { FormField, FormResult } from "../../engine/accounts/sign-in-failures.ts";
import type { Text } from "../../engine/text.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { resultOf } from "./form-call.ts";

export type Form<F extends string> = ReturnType<typeof useForm<F>>;

/**
 * What is wrong with a form: under its fields, or as a whole. `order` names the fields from top to bottom, as the inputs
 * are named; the first wrong one gets the focus. `fieldOf` tells where a refusal of the server belongs.
 */
export function useForm<F extends string>(order: readonly F[], fieldOf: Partial<Record<FormField, F>> = {}) {
  const { show } = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<F, Text>>>({});
  const [problem, setProblem] = useState<Text | null>(null);
  const [busy, setBusy] = useState(false);

  function focus(field: F) {
    form.current?.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.focus();
  }
  function fail(found: Partial<Record<F, Text>>) {
    setErrors(found);
    const first = order.find((field) => found[field] !== undefined);
    if (first !== undefined) focus(first);
  }
  /** Shows what is wrong before anything is sent; true when nothing is. */
  function accepts(problems: Partial<Record<F, TextKey>>): boolean {
    const found = Object.entries(problems).map(([field, key]) => [field, { key }]);
    setProblem(null);
    fail(Object.fromEntries(found) as Partial<Record<F, Text>>);
    return found.length === 0;
  }
  /** Shows what the server refused; true when it did not. */
  function took(result: FormResult): boolean {
    if (result.ok) return true;
    const field = result.field === null ? undefined : fieldOf[result.field];
    if (field === undefined) setProblem(result.text);
    else fail({ [field]: result.text } as Partial<Record<F, Text>>);
    return false;
  }

  return {
    form,
    busy,
    problem: problem === null ? null : show(problem),
    focus,
    accepts,
    took,
    errorOf(field: F): string | null {
      const text = errors[field];
      return text === undefined ? null : show(text);
    },
    /** What was said of the fields is done with: they have changed. */
    changed(...fields: F[]) {
      setErrors((now) => {
        const kept = Object.entries(now).filter(([field]) => !fields.includes(field as F));
        return Object.fromEntries(kept) as typeof now;
      });
    },
    /** Runs with the button at rest. */
    async run(work: () => Promise<FormResult>): Promise<boolean> {
      setBusy(true);
      const result = await resultOf(work);
      setBusy(false);
      return took(result);
    },
  };
}
