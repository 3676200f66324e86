import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { odsOfRows, odtOfBody } from "./testing/office-samples.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

test("notes of an OpenDocument text follow it, and its boxes stand apart", async () => {
  const note = (mark: string, text: string) =>
    `<text:note><text:note-citation>${mark}</text:note-citation><text:note-body><text:p>${text}</text:p></text:note-body></text:note>`;
  const box =
    "<draw:frame><draw:text-box><text:p>Box</text:p><text:p>of two</text:p></draw:text-box></draw:frame>";
  const annotation = "<office:annotation><text:p>a <text:s/>remark</text:p></office:annotation>";
  const body =
    `<text:p>In 2020${note("1", "See Smith.")} and${annotation} later${note("2", "So did Li.")}.</text:p>` +
    `<text:p>Name${box} and more</text:p>` +
    `<table:table><table:table-row><table:table-cell><text:p>Cell${box}</text:p></table:table-cell><table:table-cell><text:p>next${note("3", "Third.")}</text:p></table:table-cell></table:table-row></table:table>`;
  expect(await read(odtOfBody(body), "odt")).toBe(
    "In 2020[1] and later[2].\nBox\nof two\nName and more\nCell Box  of two\tnext[3]\n[1] See Smith.\n[2] So did Li.\n[3] Third.\n",
  );
});

test("the reading of a character in an OpenDocument text stands behind it in brackets", async () => {
  const body =
    "<text:p><text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>を読む</text:p>";
  expect(await read(odtOfBody(body), "odt")).toBe("漢字（かんじ）を読む\n");
});

test("of rows and cells that an .ods writes once for many, all are read; more than a text may have is too long", async () => {
  const row = (rows: number, cells: number) =>
    `<table:table-row table:number-rows-repeated="${rows}"><table:table-cell table:number-columns-repeated="${cells}"><text:p>0</text:p></table:table-cell></table:table-row>`;
  expect(await read(odsOfRows(row(300, 1)), "ods")).toBe(`Sheet 1\n${"0\n".repeat(300)}`);
  expect(await read(odsOfRows(row(1, 250)), "ods")).toBe(`Sheet 1\n${"0\t".repeat(249)}0\n`);
  expect(await read(odsOfRows(row(1, 1e15)), "ods")).toEqual({ kind: "too-long" });
  expect(await read(odsOfRows(row(1e15, 1)), "ods")).toEqual({ kind: "too-long" });
});
