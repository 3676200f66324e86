// The checker of files finds what is wrong in both directions, and nothing where nothing is.
import { createSession, deleteSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp } from "../../test/create-test-app.ts";
import type { TestClient } from "../../test/test-client.ts";
import { engines } from "../../test/test-databases.ts";
import { contentKey, textKey } from "../features/files/file-keys.ts";
import { checkFiles } from "./check-files.ts";

describe.each(engines)("the check of files on %s", (engine) => {
  let app: TestApp;
  let anna: TestClient;
  beforeAll(async () => {
    app = await createTestApp({ engine });
    anna = await app.signedIn();
  });
  afterAll(() => app.close());

  const check = () => checkFiles(app.db, app.app.deps.ports.objectStore);
  async function* bytes(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }

  it("finds nothing where files come, are read, sent and removed", async () => {
    const [one, two] = [await anna.uploaded("one.txt", "one"), await anna.uploaded("two.txt", "two")];
    await anna.uploaded("blank.txt", " ");
    const { id } = await anna.ok(createSession, {});
    const sent = { chat_session_id: id, prompt: "x", ref_file_ids: [one.id] };
    await (
      await anna.stream(completion, sent)
    ).ended;
    expect(await check()).toEqual({ files: 3, objects: 5, violations: [] });
    await anna.ok(deleteSession, { chat_session_id: id });
    expect((await check()).violations).toEqual([]);
    await vi.waitFor(async () => expect(await check()).toEqual({ files: 2, objects: 3, violations: [] }), {
      timeout: 15_000,
    });
    expect(two.status).toBe("SUCCESS");
  });

  it("finds every kind of orphan", async () => {
    const { objectStore } = app.app.deps.ports;
    const { kysely } = app.db;
    const told = async () => (await check()).violations.map(({ where, what }) => `${where} ${what}`);
    const file = await anna.uploaded("kept.txt", "kept");
    const change = (row: object) => kysely.updateTable("files").set(row).where("id", "=", file.id).execute();
    const cases: [row: object, what: string][] = [
      [{ status: "UPLOADING" }, "it is being uploaded, and nobody takes its bytes"],
      [{ removed_at: 1 }, "it was removed, and nobody takes its bytes away"],
      [{ status: "PARSING" }, "it is to be read, and nobody does"],
      [{ attached_at: 1 }, "no session carries it any more"],
      [{ bytes: 5 }, "it has 5 bytes, and 4 are there"],
      [{ text_bytes: 5 }, "its text has 5 bytes, and 4 are there"],
    ];
    const [row] = await kysely.selectFrom("files").selectAll().where("id", "=", file.id).execute();
    for (const [wrong, what] of cases) {
      await change(wrong);
      expect(await told()).toContain(`${file.id} ${what}`);
      await change({ ...row });
    }
    await kysely
      .insertInto("jobs")
      .values({
        subject: file.id,
        kind: "other",
        user_id: "u",
        owner: "",
        epoch: 1,
        attempts: 0,
        renewed_at: 0,
        due_at: 0,
      })
      .execute();
    expect(await told()).toEqual([`${file.id} it is SUCCESS, and there is a job other`]);
    await kysely.deleteFrom("jobs").execute();
    await objectStore.remove([textKey(file.id)]);
    expect(await told()).toEqual([`${file.id} its text has 4 bytes, and none are there`]);
    await objectStore.put(textKey(file.id), bytes("kept"));
    await objectStore.put("stray.content", bytes("x"));
    expect(await told()).toEqual(["stray.content bytes that belong to no file"]);
    await objectStore.remove(["stray.content"]);
    await kysely.deleteFrom("files").where("id", "=", file.id).execute();
    expect((await told()).sort()).toEqual(
      [contentKey(file.id), textKey(file.id)].map((key) => `${key} bytes that belong to no file`).sort(),
    );
  });
});
