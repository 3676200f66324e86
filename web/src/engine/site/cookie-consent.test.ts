import type { ClientSettings } from "@plumb/protocol/wire/site";
import { expect, test } from "vitest";
import { type CookieJar, createCookieConsent } from "./cookie-consent.ts";

function fakeJar(cookies: Record<string, string> = {}) {
  const written: [string, string, number][] = [];
  const jar: CookieJar = {
    names: () => Object.keys(cookies),
    read: (name) => cookies[name] ?? null,
    write(name, value, days) {
      cookies[name] = value;
      written.push([name, value, days]);
    },
    remove: (name) => void delete cookies[name],
  };
  return { ...jar, cookies, written };
}
const settings = (region: string | null, regions = ["GB", "DE"]) =>
  ({ region, cookie_banner: { regions } }) as ClientSettings;

test("[NOTE-014] the banner stands there in the configured regions and nowhere else", () => {
  const consent = createCookieConsent(fakeJar());
  expect(consent.isOpen(settings("GB"))).toBe(true);
  expect(consent.isOpen(settings("CN"))).toBe(false);
  expect(consent.isOpen(settings(null))).toBe(false);
  expect(consent.isOpen(settings("GB", []))).toBe(false);
  expect(consent.isOpen(null)).toBe(false);
});

test.each(["all", "essential"] as const)(
  "[NOTE-015][NOTE-016] it stands until one has chosen; %s is kept for 365 days, also for the next visit",
  (level) => {
    const jar = fakeJar();
    createCookieConsent(jar).choose(level);
    expect(jar.written).toEqual([["cookie_preference", level, 365]]);
    const next = createCookieConsent(jar);
    expect(next.isOpen(settings("GB"))).toBe(false);
    expect(next.mayCount(settings("GB"))).toBe(level === "all");
  },
);

test("what is no level is as good as none, and nobody is counted who was not asked where one is", () => {
  const consent = createCookieConsent(fakeJar({ cookie_preference: "some" }));
  expect(consent.isOpen(settings("GB"))).toBe(true);
  expect(consent.mayCount(settings("GB"))).toBe(false);
  expect(consent.mayCount(settings("CN"))).toBe(true);
  expect(consent.mayCount(null)).toBe(false);
});

test("[NOTE-018] with essential the cookies of counting go, at once and at each start, and no others", () => {
  const ofCounting = {
    _ga: "1",
    _ga_X1: "1",
    _gid: "1",
    Hm_lvt_1: "1",
    _hjSession_1: "1",
    mp_1_mixpanel: "1",
  };
  const others = { theme: "1", gallery: "1", plumb_known: "1" };
  const jar = fakeJar({ ...ofCounting, ...others });
  const consent = createCookieConsent(jar);
  consent.choose("all");
  expect(Object.keys(jar.cookies)).toEqual(expect.arrayContaining(Object.keys(ofCounting)));
  consent.choose("essential");
  expect(jar.cookies).toEqual({ ...others, cookie_preference: "essential" });
  jar.cookies["_ga"] = "again";
  createCookieConsent(jar);
  expect(jar.cookies).toEqual({ ...others, cookie_preference: "essential" });
});
