import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Toast, type ToastProps } from "./toast.tsx";

test("a toast is a warning, an error, a success or an information, and looks it [ERR-034]", () => {
  const types: ToastProps["type"][] = ["warning", "error", "success", "info"];
  const drawn = types.map((type) =>
    renderToStaticMarkup(<Toast type={type} text="Words" closeLabel="Close" onClose={() => {}} />),
  );
  for (const one of drawn) expect(one).toContain("Words");
  expect(new Set(drawn).size).toBe(4);
});
