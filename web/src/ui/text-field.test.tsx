import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TextField } from "./text-field.tsx";

test("a field takes a bound of its length, and says its error to who can't see it [SHELL-070]", () => {
  const drawn = renderToStaticMarkup(<TextField label="Email" maxLength={254} error="Email is invalid." />);
  expect(drawn).toContain('maxLength="254"');
  expect(drawn).toContain('aria-invalid="true"');
  expect(/aria-describedby="([^"]+)"/.exec(drawn)?.[1]).toBe(/id="([^"]+note)"/.exec(drawn)?.[1]);
});
