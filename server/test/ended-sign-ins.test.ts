// Every way in which a sign-in ends: its token is refused everywhere, what it reads is cut, and what becomes of its replies.
import { currentUser, logout } from "@plumb/protocol/wire/accounts";
import { endSignIn, logoutAllSessions, signIns, unregister } from "@plumb/protocol/wire/own-account";
import { createSession } from "@plumb/protocol/wire/sessions";
import { login } from "@plumb/protocol/wire/sign-in";
import { completion } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { banAccount } from "../src/features/accounts/ban-account.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { testApps } from "./test-apps.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

interface Way {
  /** Ends the sign-in of `person`, who has another one. */
  end(app: TestApp, person: TestClient, other: TestClient): Promise<unknown>;
  /** What the token is answered after it. */
  codes: readonly number[];
  /** The other sign-in ends, too. */
  all: boolean;
  /** The running reply ends, not only its readers. */
  stops: boolean;
}

const ways: Record<string, Way> = {
  "signing out": { end: (_app, person) => person.ok(logout, {}), codes: [40003], all: false, stops: false },
  "signing out everywhere": {
    end: (_app, _person, other) => other.ok(logoutAllSessions, {}),
    codes: [40003],
    all: true,
    stops: false,
  },
  "the end of that one by another": {
    async end(_app, _person, other) {
      const { sign_ins } = await other.ok(signIns, {});
      return other.ok(endSignIn, { id: sign_ins.find(({ current }) => !current)?.id ?? "" });
    },
    codes: [40003],
    all: false,
    stops: false,
  },
  "a ban [ACCT-051]": {
    end: (app, person) => banAccount(app.db, person.user?.id ?? "", Date.now()),
    codes: [40012, 40003],
    all: true,
    stops: true,
  },
  "the end of the account [ACCT-033]": {
    end: (_app, _person, other) => other.ok(unregister, {}),
    codes: [40003],
    all: true,
    stops: true,
  },
};

describe.each(engines)("a sign-in that ends on %s", (engine) => {
  const open = testApps({ engine });

  it.each(Object.entries(ways))("by %s", async (_how, { end, codes, all, stops }) => {
    const app = await open();
    // Another replica, which hears of it over the database.
    const beside = engine === "postgres" ? await createTestApp({ engine, beside: app }) : app;
    try {
      const person = app.client();
      const email = `ends-${Math.random().toString(36).slice(2)}@example.org`;
      await person.signUp(email, "correct horse");
      const other = app.client();
      other.token = (await other.ok(login, { email, password: "correct horse" })).user.token;
      const bystander = await app.signedIn();
      const elsewhere = beside.client(person);
      const codeOf = async (one: TestClient) => (await one.call(currentUser, {})).envelope.code;
      expect([await codeOf(person), await codeOf(elsewhere), await codeOf(other)]).toEqual([0, 0, 0]);

      const { id } = await person.ok(createSession, {});
      const next = app.model.next();
      const stream = await person.stream(completion, { chat_session_id: id, prompt: "Go" });
      const run = await next;
      run.say("before ");
      await stream.waitForType("delta");

      await end(app, person, other);
      for (const one of [person, elsewhere]) {
        await expect.poll(async () => codes.includes(await codeOf(one)), { interval: 20 }).toBe(true);
      }
      const events = await stream.ended;
      if (!stops) expect(events.some(({ type }) => type === "close")).toBe(false);
      if (all)
        await expect.poll(async () => codes.includes(await codeOf(other)), { interval: 20 }).toBe(true);
      else expect(await codeOf(other)).toBe(0);
      expect(await codeOf(bystander)).toBe(0);
      if (stops) await expect.poll(() => run.aborted).toBe(true);
      else expect(run.aborted).toBe(false);
      run.end();
    } finally {
      if (beside !== app) await beside.close();
    }
  });
});
