import { expect, it } from "vitest";
import { loadScript } from "./load-script.ts";

it.each([0, 1, 2])("a script that fails %d times is loaded after all [AUTH-064]", async (failures) => {
  const asked: string[] = [];
  await loadScript("https://w.example/a.js", async (source) => {
    asked.push(source);
    if (asked.length <= failures) throw new Error("away");
  });
  expect(asked).toEqual(Array.from({ length: failures + 1 }, () => "https://w.example/a.js"));
});

it("is asked for three times and no more", async () => {
  let asked = 0;
  await expect(
    loadScript("x", async () => {
      asked += 1;
      throw new Error("away");
    }),
  ).rejects.toThrow("away");
  expect(asked).toBe(3);
});
