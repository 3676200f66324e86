import { expect, it } from "vitest";
import { idsInTitles, idsNotDone, readRequirements, readSpecCoverage } from "./spec-coverage.mjs";

it.each([
  ['it("resumes [STRM-012]", () => {});', ["STRM-012"]],
  ['test("two [A-001, B2-002] and [C-003]", f);', ["A-001", "B2-002", "C-003"]],
  ['describe.each(engines)("on %s [D-004]", f);', ["D-004"]],
  ["it.each(rows)(\n  `the row $name [E-005]`,", ["E-005"]],
  ["test('quoted \"so\" [F-006]', f);", ["F-006"]],
  [
    'const rows = [\n  ["[I-009] [I-010] code 9", 9],\n  ["code 10 [I-011]"],\n];',
    ["I-009", "I-010", "I-011"],
  ],
  ['test.each<Row>([\n  ["a", f(1)],\n])(\n  "the row %s [J-012]",', ["J-012"]],
  ['it.each(all.filter(({ code }) => f(code)))(\n  "the row $code [K-013]",', ["K-013"]],
  ['const ids = ["G-007"]; expect(list["H-008"]);', []],
  ['// it("[not an id] [i-009]")', []],
])("finds the ids of %j", (source, ids) => {
  expect(idsInTitles(source)).toEqual(ids);
});

it("reads the table of statements", () => {
  const text = "id\tarea\tsurface\tsource\trequirement\nA-001\tshell\tweb\t1§1\tA thing holds.\n";
  expect(readRequirements(text)).toEqual([
    { id: "A-001", area: "shell", source: "1§1", requirement: "A thing holds." },
  ]);
});

it("reads what is not done, one by one and in ranges", () => {
  const text =
    "A-001 in words.\n\n| Rows | Why |\n|---|---|\n| A-002, A-004 … A-006 | no A-009 |\n| B2-010 | later |\n";
  expect(idsNotDone(text)).toEqual(["A-002", "A-004", "A-005", "A-006", "B2-010"]);
});

it("every statement is proven by a test or stands with its reason in docs/not-done.md", async () => {
  const { open, doubled, unknown } = await readSpecCoverage();
  expect(open.map(({ id }) => id)).toEqual([]);
  expect(doubled.map(({ id }) => id)).toEqual([]);
  expect(unknown).toEqual([]);
});
