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
