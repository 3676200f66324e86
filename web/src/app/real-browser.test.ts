import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRealBrowser } from "./real-browser.ts";

let stored: Map<string, string>;
let full: boolean;

beforeEach(() => {
  stored = new Map();
  full = false;
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (full) throw new Error("QuotaExceededError");
      stored.set(key, value);
    },
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a storage that is full", () => {
  test("has what it had and, for this page, what it was given", () => {
    stored.set("token", "a");
    const { storage } = createRealBrowser();
    expect(storage.get("token")).toBe("a");
    full = true;
    expect(storage.set("drafts", "b")).toBe(false);
    expect([storage.get("token"), storage.get("drafts")]).toEqual(["a", "b"]);
    expect([...stored]).toEqual([["token", "a"]]);
  });

  test("forgets all the same: a token that was left is not back after a reload", () => {
    stored.set("token", "a");
    const { storage } = createRealBrowser();
    storage.get("token");
    full = true;
    storage.set("drafts", "b");
    storage.remove("token");
    expect(storage.get("token")).toBeNull();
    expect([...stored]).toEqual([]);
  });
});

describe("one value too large for a storage", () => {
  test("keeps nobody from seeing that another tab signed out, or from keeping a new token", () => {
    stored.set("token", "a");
    const { storage } = createRealBrowser();
    full = true;
    storage.set("drafts", "too long");
    full = false;
    stored.delete("token");
    expect(storage.get("token")).toBeNull();
    expect(storage.set("token", "b")).toBe(true);
    expect([...stored]).toEqual([["token", "b"]]);
    expect(storage.get("drafts")).toBe("too long");
  });

  test("gives way to what another tab stored under its key afterwards", () => {
    stored.set("drafts", "old");
    const { storage } = createRealBrowser();
    full = true;
    storage.set("drafts", "mine");
    full = false;
    expect(storage.get("drafts")).toBe("mine");
    stored.set("drafts", "theirs");
    expect(storage.get("drafts")).toBe("theirs");
  });
});

test("a storage that is refused keeps what it was given for this page", () => {
  const refuse = () => {
    throw new Error("SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  const { storage } = createRealBrowser();
  storage.remove("token");
  storage.set("token", "a");
  expect(storage.get("token")).toBe("a");
  storage.remove("token");
  expect(storage.get("token")).toBeNull();
});
