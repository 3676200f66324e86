import { describe, expect, test } from "vitest";
import { decideRoute, targetAfterLogin } from "../../app/route-rules.ts";
import { signInAgain, withWanted } from "./wanted-page.ts";

/** Where a sign-in at this address leads. */
const leadsTo = (address: string): string => targetAfterLogin(address.split("?")[1] ?? "");

test("the wanted page goes along from form to form", () => {
  expect(withWanted("/sign_in", "")).toBe("/sign_in");
  expect(withWanted("/sign_in", "redirect=%2Fshare%2Fabc")).toBe("/sign_in?redirect=%2Fshare%2Fabc");
  expect(withWanted("/sign_in?from=coder", "signature=x")).toBe("/sign_in?from=coder");
});

describe("after a sign-in elsewhere that came to nothing", () => {
  test.each(["chat", "coder", "/share/abc", "/a/chat/s/one?two=3&four"])(
    "another one leads where it was to lead: %s",
    (target) => {
      const search = signInAgain(target).split("?")[1] ?? "";
      const elsewhere = decideRoute({
        path: "/authorized",
        search: "",
        status: "yes",
        reason: "none",
        guestWelcome: false,
        targetBeforeOauth: target,
      });
      expect(elsewhere).toEqual({ kind: "redirect", to: leadsTo(`?${search}`) });
    },
  );

  test.each(["//evil.example", "https://evil.example", "/\\evil.example", "/sign_up"])(
    "nothing unsafe is followed: %s",
    (target) => {
      expect(leadsTo(signInAgain(target))).toBe("/");
      expect(leadsTo(withWanted("/sign_in", new URLSearchParams({ redirect: target }).toString()))).toBe("/");
    },
  );
});
