import { expect, test } from "vitest";
import { roomOfPicture } from "./diagram-room.ts";

const picture = { width: 400, height: 500 };

test("a picture lower than its block stands in the room there is", () => {
  expect(roomOfPicture(600, 732, picture)).toEqual({ least: 600, most: null });
});

test("a picture a little higher is made smaller and no lower than its block", () => {
  expect(roomOfPicture(500, 732, picture)).toEqual({ least: 500, most: 468 });
  expect(roomOfPicture(432, 732, picture)).toEqual({ least: 432, most: 400 });
});

test("a picture much higher takes its own room", () => {
  expect(roomOfPicture(431, 732, picture)).toBeNull();
});

test("little room is kept empty for a low picture, and no more than half of much", () => {
  const low = { width: 600, height: 60 };
  expect(roomOfPicture(330, 732, low)).toEqual({ least: 330, most: null });
  expect(roomOfPicture(333, 732, low)).toBeNull();
  expect(roomOfPicture(1000, 732, picture)).toEqual({ least: 1000, most: null });
  expect(roomOfPicture(1100, 732, picture)).toBeNull();
});

test("a picture is as high as its column lets it be", () => {
  // 0.7 of its own size on a phone: 350 px and what is around it.
  expect(roomOfPicture(382, 250, picture)).toEqual({ least: 382, most: null });
  expect(roomOfPicture(381, 250, picture)).toEqual({ least: 381, most: 349 });
});
