// A request to continue a share that comes again, because its answer was lost: one copy, and the same answer.
import { LIMITS } from "@plumb/protocol/limits";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { unregister } from "@plumb/protocol/wire/own-account";
import {
  createSession,
  deleteSession,
  fetchSessionPage,
  historyMessages,
} from "@plumb/protocol/wire/sessions";
import { createShare, deleteShare, forkShare } from "@plumb/protocol/wire/sharing";
import { describe, expect, it } from "vitest";
import { askTurn } from "../../../test/ask-turn.ts";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import { purgeForks } from "./known-fork-store.ts";

const NAME = "20261125-a1b2c3d4e5f6g7h8";

describe.each(engines)("a repeated request to continue a share on %s", (engine) => {
  const open = testApps({ engine });

  /** An application with a share of one turn, its owner and a reader. */
  async function shared(app: TestApp, files: string[] = []) {
    const [owner, reader] = [await app.signedIn(), await app.signedIn()];
    const { id: session } = await owner.ok(createSession, {});
    const file = files.map((text) => owner.uploaded("notes.txt", text));
    const ids = (await Promise.all(file)).map(({ id }) => id);
    await askTurn(owner, session, { prompt: "One", parent: null, ref_file_ids: ids });
    const share = async () =>
      (await owner.ok(createShare, { chat_session_id: session, message_ids: [1, 2] })).share_id;
    return { owner, reader, share, id: await share() };
  }
  const fork = async (person: TestClient, id: string, name: string | null = NAME) =>
    (await person.ok(forkShare, { share_id: id, client_fork_id: name })).chat_session_id;
  const chats = async (person: TestClient) =>
    (await person.ok(fetchSessionPage, {})).chat_sessions.map((session) => session.id);
  const rows = ({ db }: TestApp) => db.kysely.selectFrom("share_forks").selectAll().execute();

  it("has the answer of the first one, also where the share has ended since, and another name makes another copy", async () => {
    const app = await open();
    const { owner, reader, id } = await shared(app);
    const first = await fork(reader, id);
    expect(await fork(reader, id)).toBe(first);
    expect(await chats(reader)).toEqual([first]);
    const second = await fork(reader, id, "another");
    expect(new Set(await chats(reader))).toEqual(new Set([first, second]));
    await owner.ok(deleteShare, { share_id: id });
    expect(await fork(reader, id)).toBe(first);
    const { envelope } = await reader.call(forkShare, { share_id: id, client_fork_id: "a third" });
    expect(envelope.data?.biz_code).toBe(2);
  });

  it("is another request with another share, and with another reader", async () => {
    const app = await open();
    const { owner, reader, share, id } = await shared(app);
    const made = [await fork(reader, id), await fork(reader, await share()), await fork(owner, id)];
    expect(new Set(made).size).toBe(3);
    expect(await chats(reader)).toHaveLength(2);
  });

  it("is known by its name alone: without one each makes a copy", async () => {
    const app = await open();
    const { reader, id } = await shared(app);
    const made = [await fork(reader, id, null), await fork(reader, id, null)];
    made.push((await reader.ok(forkShare, { share_id: id })).chat_session_id);
    expect(new Set(made).size).toBe(3);
    expect(await rows(app)).toEqual([]);
  });

  it("at the same time as the first one makes one copy, whole, and nothing is left of the others", async () => {
    const app = await open();
    const { reader, id } = await shared(app, ["The password is xylophone."]);
    const made = await Promise.all([1, 2, 3, 4].map(() => fork(reader, id)));
    expect(new Set(made).size).toBe(1);
    expect(await chats(reader)).toEqual([made[0]]);
    const { chat_messages } = await reader.ok(historyMessages, { chat_session_id: made[0] ?? "" });
    expect(chat_messages).toHaveLength(2);
    expect(chat_messages[0]?.files).toHaveLength(1);
    expect(await app.db.kysely.selectFrom("session_copies").selectAll().execute()).toEqual([]);
    expect((await checkInvariants(app.db)).violations).toEqual([]);
  });

  it("that another process answers, or the same one after a restart, makes no second copy", async () => {
    const app = await open();
    const { reader, id } = await shared(app);
    const first = await fork(reader, id);
    const another = await open({ beside: app });
    const again = await fork(another.client(reader), id);
    expect(again).toBe(first);
  });

  it.each(["the chat", "the history"])("makes a new copy once %s was deleted", async (what) => {
    const app = await open();
    const { reader, id } = await shared(app);
    const first = await fork(reader, id);
    if (what === "the chat") await reader.ok(deleteSession, { chat_session_id: first });
    else await reader.ok(deleteAllSessions, {});
    expect(await rows(app)).toEqual([]);
    const second = await fork(reader, id);
    expect(second).not.toBe(first);
    expect(await chats(reader)).toEqual([second]);
  });

  it("is forgotten with its account, and after a week", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock });
    const { owner, reader, id } = await shared(app);
    await fork(reader, id);
    const kept = await fork(owner, id);
    await reader.ok(unregister, {});
    await expect.poll(() => rows(app), { timeout: 10_000 }).toMatchObject([{ session_id: kept }]);
    await purgeForks(app.db, clock.now() + LIMITS.forkKnownSecs * 1000 - 60_000);
    expect(await rows(app)).toHaveLength(1);
    await purgeForks(app.db, clock.now() + LIMITS.forkKnownSecs * 1000 + 1);
    expect(await rows(app)).toEqual([]);
    expect(await chats(owner)).toContain(kept);
  });
});
