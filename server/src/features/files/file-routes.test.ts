// Upload, status, preview and bytes over real connections, on both databases.
import { previewFile } from "@plumb/protocol/wire/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

describe.each(engines)("files on %s", (engine) => {
  let app: TestApp;
  let anna: TestClient;
  beforeAll(async () => {
    app = await createTestApp({ engine });
    anna = await app.signedIn();
  });
  afterAll(() => app.close());

  const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers });

  it("[FILE-001] [FILE-013] an uploaded file is read, and its text shown", async () => {
    const text = "Meeting notes\n\n会议记录 🎉\n";
    const { status, data } = await anna.upload("notes.md", text, { "x-thinking-enabled": "1" });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      file_name: "notes.md",
      file_size: Buffer.byteLength(text),
      status: "PENDING",
      error_code: null,
      previewable: false,
      token_usage: 0,
    });
    const read = await anna.uploaded("notes.md", text);
    expect(read).toMatchObject({ status: "SUCCESS", error_code: null, previewable: true });
    expect(read.token_usage).toBeGreaterThan(8);
    const preview = await anna.ok(previewFile, { file_id: read.id });
    expect(preview).toMatchObject({ type: "text", name: "notes.md" });
    const bytes = await get(preview.url);
    expect(await bytes.text()).toBe(text);
    expect(bytes.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });
});
