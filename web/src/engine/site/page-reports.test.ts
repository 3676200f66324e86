import { expect, test } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createErrorReports, createSpanReports, type ErrorReport, type Span } from "./page-reports.ts";

function spans() {
  const browser = createFakeBrowser(() => new Response());
  const sent: Span[][] = [];
  const reports = createSpanReports({ browser, post: async (part) => void sent.push([...part]) });
  reports.start();
  return { browser, reports, sent };
}

test("[PLAT-009] how a page is used goes out together each half minute, and when the page is hidden", async () => {
  const { browser, reports, sent } = spans();
  reports.add({ name: "view", screen: "chat" });
  reports.add({ name: "opened", ms: 120 });
  await browser.advance(29_999);
  expect(sent).toEqual([]);
  await browser.advance(1);
  expect(sent[0]?.map(({ name }) => name)).toEqual(["view", "opened"]);
  await browser.advance(30_000);
  expect(sent).toHaveLength(1);
  reports.add({ name: "view", screen: "share" });
  browser.setVisible(false);
  await browser.settle();
  expect(sent[1]?.[0]).toMatchObject({ name: "view", screen: "share", at: browser.now() });
  reports.stop();
});

test("of very many the newest go out, in parts that the server takes", async () => {
  const { browser, reports, sent } = spans();
  for (let index = 0; index < 1250; index += 1) reports.add({ name: `n${index}` });
  await browser.advance(30_000);
  expect(sent.map((part) => part.length)).toEqual(Array.from({ length: 10 }, () => 100));
  expect([sent[0]?.[0]?.name, sent.at(-1)?.at(-1)?.name]).toEqual(["n250", "n1249"]);
  for (const part of sent) expect(JSON.stringify(part).length).toBeLessThan(65_536);
  reports.stop();
});

test("[PLAT-009] an error goes out once, masked and cut, and 20 of a page at most", () => {
  const posted: ErrorReport[] = [];
  const report = createErrorReports({
    version: "1.0.0",
    now: () => 7,
    screen: () => "chat",
    mask: (text) => text.replaceAll("ann@example.org", "a*****@example.org"),
    post: (one) => posted.push(one),
  });
  const error = new TypeError("ann@example.org is not a function");
  report(error);
  report(error);
  expect(posted).toHaveLength(1);
  expect(posted[0]).toMatchObject({
    version: "1.0.0",
    message: "a*****@example.org is not a function",
    screen: "chat",
    at: 7,
  });
  expect(posted[0]?.stack).not.toContain("ann@");
  report("x".repeat(9000));
  expect(posted[1]?.message).toHaveLength(500);
  for (let index = 0; index < 50; index += 1) report(new Error(`e${index}`));
  expect(posted).toHaveLength(20);
});
