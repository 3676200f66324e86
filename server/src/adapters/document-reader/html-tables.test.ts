// Tables of pages, books and mails that were saved as HTML.
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

test.each([
  [
    "a cell without words keeps its place",
    "<table><tr><th></th><th>Mon</th><th>Tue</th></tr><tr><td>a</td><td> </td><td>c</td></tr><tr><td>d</td><td>e</td><td></td></tr></table>",
    "\tMon\tTue\na\t\tc\nd\te\n",
  ],
  [
    "a row is a line whether its cells hold paragraphs or not",
    "<table>\n<tr>\n<td>\n<p>a</p>\n</td>\n<td><p><b>b</b></p></td></tr>\n<tr><td><div>c</div><td><p></p><td><p>d</table><p>end</p>",
    "a\tb\nc\t\td\nend\n",
  ],
  [
    "cells that stand over several columns or rows keep the others in their columns",
    '<table><tr><th rowspan="2">Region</th><th colspan="2">2023</th><th>2024</th></tr><tr><td>H1</td><td>H2</td><td>H1</td></tr>' +
      '<tr><td>North</td><td colspan="2" rowspan="2">7</td><td>8</td></tr><tr><td>South</td><td>9</td></tr><tr><td>All</td><td>1</td><td>2</td><td>3</td></tr></table>',
    "Region\t2023\t\t2024\n\tH1\tH2\tH1\nNorth\t7\t\t8\nSouth\t\t\t9\nAll\t1\t2\t3\n",
  ],
  [
    "spans that make no sense",
    '<table><tr><td colspan="-1" rowspan="x">a</td><td colspan="1e99" rowspan="1e99">b</td><td>c</td></tr></table><td colspan="5">d',
    `a\tb${"\t".repeat(256)}c\nd\n`,
  ],
  [
    "a cell of several lines is not joined to the next",
    "<table><tr><td><p>a</p><p>b</p></td><td><p>c</p></td></tr><tr><td>d<br>e</td><td>f</td></tr></table>",
    "a\nb\nc\nd\ne\tf\n",
  ],
  [
    "a table that only lays out a page leaves its lines",
    "<table><tr><td><table><tr><td>Menu</td></tr><tr><td>Home</td></tr></table></td><td><h1>News</h1><p>It rains.</p></td></tr></table>",
    "Menu\nHome\nNews\nIt rains.\n",
  ],
])("%s", async (_, page, text) => {
  expect(await read(Buffer.from(page), "html")).toBe(text);
});
