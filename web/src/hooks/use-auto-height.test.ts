import { expect, test } from "vitest";
import { fit } from "./use-auto-height.ts";

/** A field that counts how often it is measured. */
function fieldWith(value: string) {
  let measured = 0;
  return {
    value,
    style: { height: "", overflowY: "" },
    get scrollHeight(): number {
      measured += 1;
      return this.style.overflowY === "hidden" ? 72 : 96;
    },
    measured: () => measured,
  };
}

test("a text is as high as it is long, without a scrollbar that takes room from its lines", () => {
  const field = fieldWith("three\nshort\nlines");
  fit(field);
  expect(field.style).toEqual({ height: "72px", overflowY: "" });
});

test("a text that fills the field in any case is not measured", () => {
  const field = fieldWith("x".repeat(20_001));
  fit(field);
  expect([field.style.height, field.measured()]).toEqual(["100dvh", 0]);
});
