import { describe, expect, it } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { signedInDisk } from "../testing/open-page.ts";
import { createAccountLifecycle, type DraftsOnLeaving } from "./account-lifecycle.ts";
import { createAuthStore } from "./auth-store.ts";
import { handleGlobalRefusal } from "./global-refusals.ts";

function build() {
  const disk = signedInDisk();
  const auth = createAuthStore(
    createFakeBrowser(() => new Response(), disk),
    () => {},
  );
  const events: string[] = [];
  const part = (name: string) => ({
    start: () => void events.push(`start ${name}`),
    clear: ({ drafts }: { drafts: DraftsOnLeaving }) =>
      void events.push(`clear ${name}${drafts === "keep" ? " but drafts" : ""}`),
  });
  const reactions = {
    toast({ text }: { text: object }) {
      events.push(`toast ${JSON.stringify(text)}`);
      return () => {};
    },
    go: (path: string) => void events.push(`go ${path}`),
  };
  const onlyCleared = { clear: () => void events.push("clear c") };
  const account = createAccountLifecycle({ auth, reactions, parts: [part("a"), part("b"), onlyCleared] });
  return { disk, auth, events, reactions, account };
}

describe("an account on this page", () => {
  it("enters part by part", () => {
    const { account, events } = build();
    account.enter();
    expect(events).toEqual(["start a", "start b"]);
  });

  it.each([
    ["signed-out", "", "/sign_in"],
    ["expired", " but drafts", "/sign_in"],
    ["banned", "", "/banned"],
  ] as const)("leaves as %s: its token, then all parts, then its page [AUTH-011]", (reason, kept, path) => {
    const { account, auth, disk, events } = build();
    account.leave(reason);
    expect(events).toEqual([`clear a${kept}`, `clear b${kept}`, "clear c", `go ${path}`]);
    expect(auth.store.getState()).toEqual({ status: "no", user: null, reason });
    expect(disk.values.has("plumb.token")).toBe(false);
  });
});

describe("a global refusal", () => {
  const refuse = (code: number, token: string | null = "token-1", data: unknown = null) => {
    const { account, auth, events, reactions } = build();
    const checkAccount = () => void events.push("check the account");
    const muted = (until: number) => void events.push(`muted until ${until}`);
    const askForPhone = () => void events.push("ask for a phone");
    const clearProofs = () => void events.push("clear proofs");
    const log = (message: string) => void events.push(`log ${message}`);
    const followOtherTabs = () => false;
    handleGlobalRefusal(
      {
        reactions,
        token: auth.token,
        nobodyStored: () => auth.hasStored(null),
        followOtherTabs,
        checkAccount,
        muted,
        askForPhone,
        clearProofs,
        leave: account.leave,
        log,
      },
      { code, token, logId: "id", data },
    );
    return events;
  };

  it("of a birthday that is due asks about the account, which shows the age gate [ACCT-042]", () => {
    expect(refuse(40015)).toEqual(["check the account"]);
    expect(refuse(40015, "token-2")).toEqual([]);
  });

  it("of a mute stores its end, whatever was called [ERR-010]", () => {
    expect(refuse(50006, "token-1", { end_at: 1_790_000_100 })).toEqual(["muted until 1790000100"]);
    expect(refuse(50006, "token-2", { end_at: 1_790_000_100 })).toEqual([]);
  });

  it("of a phone that is not verified says so and asks for one [ACCT-050] [ERR-011]", () => {
    expect(refuse(40013)).toEqual(['toast {"key":"mobileNotVerified"}', "ask for a phone"]);
    expect(refuse(40013, "token-2")).toEqual([]);
  });

  it("of a proof of work drops the proofs and says so", () => {
    expect(refuse(40301)).toEqual([
      "clear proofs",
      'toast {"key":"validationFailed","params":{"code":40301,"logId":"id"}}',
    ]);
  });

  it("of the token leaves, with a word where the user did nothing for it", () => {
    expect(refuse(40003)).toEqual([
      'toast {"key":"signedOut"}',
      "clear a but drafts",
      "clear b but drafts",
      "clear c",
      "go /sign_in",
    ]);
    expect(refuse(40002)[0]).toBe("clear a but drafts");
    expect(refuse(40012).at(-1)).toBe("go /banned");
  });

  it.each([null, "token-0"])("on a call with the token %j says nothing of the one in use", (token) => {
    expect(refuse(40003, token)).toEqual([]);
  });

  it("that is unknown goes to the log; one with a text is shown by whoever called", () => {
    expect(refuse(49999)).toEqual(["log unknown global code 49999 (id)"]);
    expect(refuse(42900)).toEqual([]);
  });
});
