import { useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { openDrawnPage } from "../markdown/testing/drawn-page.ts";
import { fit, useAutoHeight } from "./use-auto-height.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

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

function Field() {
  const field = useRef<HTMLTextAreaElement>(null);
  useAutoHeight(field, "a few words", false);
  return <textarea ref={field} />;
}

test("a field is fitted again where the browser gets another size of text, and leaves nothing on the page", async () => {
  const page = await openDrawnPage();
  let letter = 16;
  let tellSizes = (): void => undefined;
  const stopped = vi.fn<() => void>();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(tell: () => void) {
        tellSizes = tell;
      }
      observe = () => undefined;
      disconnect = stopped;
    },
  );
  Object.defineProperties(page.elements, {
    clientWidth: { configurable: true, get: () => 300 },
    scrollHeight: { configurable: true, get: () => 2 * letter },
    getBoundingClientRect: { configurable: true, value: () => ({ width: letter }) },
  });
  await page.draw(<Field />);
  const height = () => page.document.querySelector("textarea")?.style.height;
  expect(height()).toBe("32px");
  letter = 24;
  tellSizes();
  expect(height()).toBe("48px");
  await page.close();
  expect(stopped).toHaveBeenCalledTimes(1);
  expect(page.document.body.children).toHaveLength(1);
});
