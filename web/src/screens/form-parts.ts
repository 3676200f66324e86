// What only some of the screens before sign-in need.
import { loadCodeForms } from "../engine/load-sign-in.ts";
import { loadCodeTexts } from "../i18n/code-texts.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** The forms with a code: signing up, a forgotten password, and signing in by a code. */
export const codeFormsPart = lazyPart(async () => {
  const [{ CodeForms }] = await Promise.all([import("./code-forms.tsx"), loadCodeTexts(), loadCodeForms()]);
  return CodeForms;
});
