import { expect, test } from "vitest";
import { acceptFiles } from "./accept-files.ts";

const MIB = 1024 * 1024;
const limits = { maxFiles: 50, maxBytes: 100 * MIB, extensions: ["txt", "pdf"] };
const file = (name: string, size = 10) => ({ name, size });

test("when they would be too many beside those that are there, none is taken [FILE-019] [FILE-020]", () => {
  const three = [file("a.txt"), file("b.txt"), file("c.txt")];
  expect(acceptFiles(three, 47, limits).files).toEqual(three);
  expect(acceptFiles(three, 48, limits)).toEqual({
    files: [],
    refusals: [{ key: "uploadMax50Files", params: { max: 50 } }],
  });
});

test("one that is too large is refused, the others are kept [FILE-021] [FILE-022]", () => {
  const [small, exact, large] = [file("a.txt"), file("b.pdf", 100 * MIB), file("c.pdf", 100 * MIB + 1)];
  const { files, refusals } = acceptFiles([small, large, exact], 0, limits);
  expect(files).toEqual([small, exact]);
  expect(refusals).toEqual([{ key: "uploadMax100MBSize", params: { names: "c.pdf", max: 100 } }]);
});

test("a smaller limit of the installation holds", () => {
  expect(acceptFiles([file("a.txt", 2 * MIB)], 0, { ...limits, maxBytes: MIB }).refusals).toEqual([
    { key: "uploadMax100MBSize", params: { names: "a.txt", max: 1 } },
  ]);
});

test("other extensions, no bytes and no end of a name are refused with a notice each, named up to two [FILE-023]", () => {
  const chosen = [file("a.exe"), file("b.dmg"), file("c"), file("d.txt", 0), file(`${"e".repeat(300)}.txt`)];
  const { files, refusals } = acceptFiles([...chosen, file("ok.TXT")], 0, limits);
  expect(files.map(({ name }) => name)).toEqual(["ok.TXT"]);
  expect(refusals.map((text) => "key" in text && text.key)).toEqual([
    "dragFileErrorTip",
    "fileSizeEmptyAmong",
    "fileNameTooLongAmong",
  ]);
  expect(refusals[0]).toMatchObject({ params: { names: "a.exe, b.dmg, …" } });
});
