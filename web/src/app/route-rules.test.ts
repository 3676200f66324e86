import { expect, test } from "vitest";
import { decideRoute, isSafeRedirect, targetAfterLogin } from "./route-rules.ts";

const visit = (path: string, status: "pending" | "no" | "yes", search = "", reason = "none" as const) =>
  decideRoute({ path, search, status, reason, targetBeforeOauth: "chat", guestWelcome: false });

test.each(["/nowhere", "/a", "/a/chat/s", "/a/chat/x/1", "/share", "/a/%E0%A4%A"])(
  "%s leads to the root [SHELL-018]",
  (path) => {
    expect(visit(path, "yes")).toEqual({ kind: "redirect", to: "/" });
  },
);

test.each(["//", "////"])("%s leads to the root [SHELL-019]", (path) => {
  expect(visit(path, "no")).toEqual({ kind: "redirect", to: "/" });
});

test.each(["/sign_in", "/sign_up", "/forgot_password", "/authorized", "/banned", "/feedback"])(
  "%s is for logged-out users only [SHELL-007] [SHELL-008] [SHELL-009] [SHELL-011] [SHELL-012] [SHELL-014] [SHELL-020]",
  (path) => {
    expect(visit(path, "yes")).toEqual({ kind: "redirect", to: "/" });
    expect(visit(path, "no").kind).toBe("show");
  },
);

test("a sign-in elsewhere that is to confirm who is signed in ends at a page of its own, and only then", () => {
  const decide = (path: string, search: string, isConfirming: boolean) =>
    decideRoute({
      path,
      search,
      status: "yes",
      reason: "none",
      targetBeforeOauth: "/a/coder",
      isConfirming,
      guestWelcome: false,
    });
  const ends = [
    ["/authorized", "?nonce=x&provider=GOOGLE"],
    ["/mobile_verification", "?signature=x"],
    ["/sign_in", "?provider=GOOGLE&error=UNEXPECTED_ERROR&code=9"],
  ] as const;
  for (const [path, search] of ends) {
    expect(decide(path, search, true)).toEqual({ kind: "show", route: { screen: "authorized" } });
    expect(decide(path, search, false).kind).toBe("redirect");
  }
  expect(decide("/sign_in", "", true).kind).toBe("redirect");
  // When that page is done it leads back.
  expect(decide("/authorized", "", false)).toEqual({ kind: "redirect", to: "/a/coder" });
});

test("what the link of a message leads to is for everybody", () => {
  for (const status of ["no", "yes"] as const)
    expect(visit("/undo_binding", status)).toEqual({ kind: "show", route: { screen: "undo-binding" } });
});

test("a visitor who is not logged in goes to sign-in and comes back [SHELL-021] [SHELL-022] [SHELL-010]", () => {
  expect(visit("/", "no")).toEqual({ kind: "redirect", to: "/sign_in" });
  expect(visit("/a/chat/s/1", "no")).toEqual({
    kind: "redirect",
    to: "/sign_in?redirect=%2Fa%2Fchat%2Fs%2F1",
  });
  expect(visit("/sign_in", "yes", "?redirect=%2Fa%2Fchat%2Fs%2F1")).toEqual({
    kind: "redirect",
    to: "/a/chat/s/1",
  });
});

test("after an own sign-out nothing is remembered, and a ban leads to its page", () => {
  const decide = (reason: "signed-out" | "banned") =>
    decideRoute({
      path: "/a/chat/s/1",
      search: "",
      status: "no",
      reason,
      targetBeforeOauth: "chat",
      guestWelcome: false,
    });
  expect(decide("signed-out")).toEqual({ kind: "redirect", to: "/sign_in" });
  expect(decide("banned")).toEqual({ kind: "redirect", to: "/banned" });
});

test.each(["/", "/sign_in", "/sign_up", "/a/coder"])(
  "a ban leads from %s to its page, which stays [ACCT-051]",
  (path) => {
    const decide = (at: string) =>
      decideRoute({
        path: at,
        search: "",
        status: "no",
        reason: "banned",
        targetBeforeOauth: "chat",
        guestWelcome: false,
      });
    expect(decide(path)).toEqual({ kind: "redirect", to: "/banned" });
    expect(decide("/banned")).toEqual({ kind: "show", route: { screen: "banned" } });
  },
);

test("from=coder leads to the coder agent after login, else to the root [SHELL-023]", () => {
  expect(visit("/", "no", "?from=coder")).toEqual({ kind: "redirect", to: "/sign_in?from=coder" });
  expect(targetAfterLogin("?from=coder")).toBe("/a/coder");
  expect(targetAfterLogin("?from=else")).toBe("/");
});

test("the token check is waited for, except where the path is wrong anyway", () => {
  expect(visit("/", "pending")).toEqual({ kind: "wait" });
  expect(visit("/nowhere", "pending")).toEqual({ kind: "redirect", to: "/" });
});

test("where the operator lets guests see an agent's home it is shown to them, and nothing else [SHELL-004]", () => {
  const decide = (path: string, guestWelcome: boolean | null, reason: "none" | "signed-out" = "none") =>
    decideRoute({ path, search: "", status: "no", reason, targetBeforeOauth: "chat", guestWelcome });
  const shown = (agentId: string) => ({ kind: "show", route: { screen: "guest-welcome", agentId } });
  expect(decide("/", true)).toEqual(shown("chat"));
  expect(decide("/a/coder", true)).toEqual(shown("coder"));
  expect(decide("/", null)).toEqual({ kind: "wait" });
  expect(decide("/", false)).toEqual({ kind: "redirect", to: "/sign_in" });
  expect(decide("/", true, "signed-out")).toEqual({ kind: "redirect", to: "/sign_in" });
  expect(decide("/a/chat/s/1", true)).toMatchObject({ kind: "redirect" });
});

test("agent and session routes are shown [SHELL-005] [SHELL-006]", () => {
  const shown = (path: string) => visit(path, "yes");
  expect(shown("/")).toEqual({ kind: "show", route: { screen: "chat", agentId: "chat", sessionId: null } });
  expect(shown("/a/coder")).toEqual({
    kind: "show",
    route: { screen: "chat", agentId: "coder", sessionId: null },
  });
  expect(shown("/a/coder/s/x-1")).toEqual({
    kind: "show",
    route: { screen: "chat", agentId: "coder", sessionId: "x-1" },
  });
});

test.each([
  ["/", true],
  ["/a/coder", true],
  ["/a/chat/s/1?x=1#y", true],
  ["", false],
  ["a/chat", false],
  ["//evil.example", false],
  ["/\\evil.example", false],
  ["\\/evil.example", false],
  ["/\t/evil.example", false],
  ["/\n/evil.example", false],
  ["https://evil.example/", false],
  ["javascript:alert(1)", false],
  ["/sign_in", false],
  ["/api/v0/users/logout", false],
  ["/a/../../evil", false],
])("redirect %j is followed: %s [SHELL-010]", (redirect, followed) => {
  expect(isSafeRedirect(redirect)).toBe(followed);
});

test.each([
  ["/share/abcdefghij01234567", { screen: "share", shareId: "abcdefghij01234567" }],
  ["/share/missing", { screen: "share-missing" }],
  ["/share/invalid", { screen: "share-invalid" }],
])("%s is for everybody, also with a token and after a ban [SHELL-015]", (path, route) => {
  for (const status of ["no", "yes"] as const) expect(visit(path, status)).toEqual({ kind: "show", route });
  const banned = decideRoute({
    path,
    search: "",
    status: "no",
    reason: "banned",
    targetBeforeOauth: "chat",
    guestWelcome: false,
  });
  expect(banned).toEqual({ kind: "show", route });
  expect(isSafeRedirect(path)).toBe(true);
});

test.each([
  ["chat", "/"],
  ["coder", "/a/coder"],
  ["/a/chat/s/1", "/a/chat/s/1"],
  ["//evil.example", "/"],
  ["/sign_in", "/"],
  ["https://evil.example/", "/"],
])("a sign-in elsewhere that was to lead to %s leads to %s [AUTH-014]", (targetBeforeOauth, to) => {
  const search = "?redirect=%2Fa%2Fcoder";
  expect(
    decideRoute({
      path: "/authorized",
      search,
      status: "yes",
      reason: "none",
      targetBeforeOauth,
      guestWelcome: false,
    }),
  ).toEqual({ kind: "redirect", to });
});
