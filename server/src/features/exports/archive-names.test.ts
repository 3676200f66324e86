// Names of what is in an archive.
import { expect, it } from "vitest";
import { sessionFileName, textFileName } from "./archive-names.ts";

it("names are apart where 10,000 titles are equal, and none is a reserved one", () => {
  const names = Array.from({ length: 10_000 }, (_, n) => sessionFileName(n + 1, "CON", "untitled"));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(10_000);
  expect(names[0]).toBe("sessions/00001 CON.md");
  expect(textFileName("file-1", "a/b.pdf")).toBe("files/a b.pdf.file-1.txt");
});
