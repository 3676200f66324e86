import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addKnownDevice, DEVICE_LIFE_SECS, deviceKeyOf, findKnownDevice } from "./known-device.ts";

const KEY = deviceKeyOf("a server key");
const NOW = 1_800_000_000_000;

describe("the cookie of known devices", () => {
  const cookie = addKnownDevice(KEY, null, "anna", NOW);

  test("names the browser to the account that was signed in to, and to no other", () => {
    expect(findKnownDevice(KEY, cookie, "anna", NOW)).toMatch(/^[\w-]{22}$/u);
    expect(findKnownDevice(KEY, cookie, "ben", NOW)).toBe(null);
    expect(findKnownDevice(deviceKeyOf("another key"), cookie, "anna", NOW)).toBe(null);
    expect(findKnownDevice(KEY, null, "anna", NOW)).toBe(null);
    expect(cookie).not.toContain("anna");
  });

  test("ends after 400 days", () => {
    const end = NOW + DEVICE_LIFE_SECS * 1000;
    expect(findKnownDevice(KEY, cookie, "anna", end - 1000)).not.toBe(null);
    expect(findKnownDevice(KEY, cookie, "anna", end)).toBe(null);
  });

  test("five accounts share a browser; a sixth drops the one signed in longest ago", () => {
    let shared: string | null = null;
    for (const user of ["a", "b", "c", "d", "e", "b"]) shared = addKnownDevice(KEY, shared, user, NOW);
    const known = (value: string | null) =>
      ["a", "b", "c", "d", "e", "f"].filter((user) => findKnownDevice(KEY, value, user, NOW) !== null);
    expect(known(shared)).toEqual(["a", "b", "c", "d", "e"]);
    expect(known(addKnownDevice(KEY, shared, "f", NOW))).toEqual(["b", "c", "d", "e", "f"]);
  });

  test("one changed character makes it worthless, and no text throws", () => {
    fc.assert(
      fc.property(fc.nat(cookie.length - 1), fc.constantFrom(..."aZ0.~-_;\u00e9"), (at, character) => {
        const spoilt = cookie.slice(0, at) + character + cookie.slice(at + 1);
        // Two last characters of base64 can mean the same bytes; the text is compared, so that they differ too.
        if (spoilt !== cookie) expect(findKnownDevice(KEY, spoilt, "anna", NOW)).toBe(null);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(findKnownDevice(KEY, text, "anna", NOW)).toBe(null);
        expect(findKnownDevice(KEY, addKnownDevice(KEY, text, "anna", NOW), "anna", NOW)).not.toBe(null);
      }),
    );
  });
});
