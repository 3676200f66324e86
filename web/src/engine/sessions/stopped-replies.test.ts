import { expect, test } from "vitest";
import { createFakeBrowser, emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { createStoppedReplies } from "./stopped-replies.ts";

function open(disk = emptyDisk()) {
  return { disk, replies: createStoppedReplies(createFakeBrowser(createFakeServer().network, disk)) };
}

test("a reply that ended otherwise in the end is no stopped one", () => {
  const { disk, replies } = open();
  replies.note("a", true);
  replies.note("b", true);
  expect(["a", "b", "c", null].map(replies.has)).toEqual([true, true, false, false]);
  replies.note("a", false);
  expect(open(disk).replies.has("a")).toBe(false);
  expect(open(disk).replies.has("b")).toBe(true);
});

test("notes of another tab count, they are bounded, and a broken storage has none", () => {
  const { disk, replies } = open();
  replies.note("first", true);
  const other = open(disk).replies;
  for (let n = 0; n < 500; n++) other.note(`reply-${n}`, true);
  expect(["first", "reply-0", "reply-499"].map(replies.has)).toEqual([false, true, true]);
  disk.values.set("plumb.stopped", '{"a":1}');
  expect(replies.has("reply-0")).toBe(false);
  disk.values.set("plumb.stopped", "[7");
  expect(replies.has("reply-0")).toBe(false);
});
