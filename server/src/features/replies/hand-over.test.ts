// A planned shutdown with many running replies: what it costs does not grow with them.
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { engines } from "../../../test/test-databases.ts";

const REPLIES = 12;

describe.each(engines)("a hand-over on %s", (engine) => {
  let app: TestApp;
  afterEach(() => app.close());

  it("releases all leases by one statement, once every reply has stored what it said", async () => {
    app = await createTestApp({ engine, settings: { CONCURRENT_REPLIES: "100" } });
    const person = await app.signedIn();
    for (let index = 0; index < REPLIES; index += 1) {
      const session = await person.ok(createSession, {});
      const next = app.model.next();
      const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
      (await next).say("words");
      await stream.waitForType("delta");
    }
    const { kysely } = app.db;
    const updateTable = kysely.updateTable.bind(kysely);
    let releases = 0;
    kysely.updateTable = ((table: "reply_lease") => {
      const query = updateTable(table);
      const set = query.set.bind(query);
      query.set = ((change: object) => {
        if ("owner" in change) releases += 1;
        return set(change);
      }) as typeof query.set;
      return query;
    }) as typeof kysely.updateTable;
    await app.app.drain(0);
    const leases = await kysely.selectFrom("reply_lease").select("owner").execute();
    expect(leases).toEqual(Array.from({ length: REPLIES }, () => ({ owner: "" })));
    expect(releases).toBeLessThanOrEqual(2);
  });
});
