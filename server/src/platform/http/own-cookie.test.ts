import { expect, test } from "vitest";
import { readOwnCookie, writeOwnCookie } from "./own-cookie.ts";

const cookie = { name: "plumb_x", value: "a.b~c", maxAgeSecs: 60 };

test("on https the name has the prefix that binds it to the host; on plain http it works without", () => {
  expect(writeOwnCookie(cookie, true)).toBe(
    "__Host-plumb_x=a.b~c; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure",
  );
  expect(writeOwnCookie(cookie, false)).toBe("plumb_x=a.b~c; Path=/; Max-Age=60; HttpOnly; SameSite=Lax");
});

test.each([
  ["plumb_x=1", false, "1"],
  ["a=2; plumb_x=1; plumb_x=3", false, "1"],
  ["__Host-plumb_x=1", true, "1"],
  ["plumb_x=1", true, null],
  ["xplumb_x=1; plumb_x", false, null],
  ["plumb_x=a=b", false, "a=b"],
  ["", false, null],
  [null, false, null],
])("reads %j (secure %s) as %j", (header, secure, value) => {
  expect(readOwnCookie(header, "plumb_x", secure)).toBe(value);
});
