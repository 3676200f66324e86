// The two servers as a scenario plays them: answers of calls, proofs, and how far the model has got.
import { fetchFiles, uploadFile } from "@plumb/protocol/wire/files";
import { createTestApp } from "../../server/test/create-test-app.ts";
import { createQuickClock } from "../../server/test/test-clock.ts";
import type { ScriptedRun } from "../../server/test/scripted-model.ts";
import { createFakeServer } from "../../web/src/engine/testing/fake-server.ts";

export interface Player {
  ask(
    method: "GET" | "POST",
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<Response>;
  /** A text file of this name, with the headers of an upload. */
  upload(name: string, content: string, headers: Record<string, string>): Promise<Response>;
  /** Waits until the file has been read, or could not be. */
  fileRead(id: string): Promise<void>;
  write(until: "ready" | "thought" | "answer" | "end"): Promise<void>;
  close(): Promise<void>;
}

/** Events of the fake's reply by when its thought, the first half of its answer, and all of it are written. */
const fakeEvents = { ready: 2, thought: 5, answer: 8, end: 15 };

export function fakePlayer(): Player {
  const server = createFakeServer();
  return {
    ask: async (method, path, headers, body) =>
      server.network(path, { method, headers, ...(body === undefined ? {} : { body }) } as Parameters<
        typeof server.network
      >[1]),
    upload: async (name, content, headers) => {
      const file = { name, size: Buffer.byteLength(content) };
      return server.network(uploadFile.path, { method: "POST", headers, file } as Parameters<
        typeof server.network
      >[1]);
    },
    fileRead: async (id) => server.files.read(id),
    async write(until) {
      const { produced = 0 } = server.replies.at(-1) ?? {};
      server.produce(fakeEvents[until] - produced);
    },
    close: async () => {},
  };
}

const stages = ["thought", "answer", "end"] as const;

/** The real application in this process, on SQLite. */
export async function realPlayer(): Promise<Player> {
  // Durations pass slowly: a busy machine must not make the server show a snapshot before the first text.
  const app = await createTestApp({ clock: createQuickClock(1 / 8) });
  app.model.title = "Adding two and two";
  const person = await app.signedIn();
  const runs: { run: ScriptedRun; written: number }[] = [];
  let asked: () => void = () => {};
  const take = (): void => {
    void app.model.next().then((run) => {
      runs.push({ run, written: 0 });
      asked();
      take();
    });
  };
  take();
  return {
    ask: (method, path, headers, body) =>
      person.request(path, { method, headers, ...(body === undefined ? {} : { body }) }),
    upload: (name, content, headers) => {
      const form = new FormData();
      form.append("file", new Blob([content]), name);
      return person.request(uploadFile.path, { method: "POST", headers, body: form });
    },
    async fileRead(id) {
      for (;;) {
        const { files } = await person.ok(fetchFiles, { file_ids: id });
        if (files.every(({ status }) => status !== "PENDING" && status !== "PARSING")) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async write(until) {
      if (until === "ready") return;
      // The server asks the model after it has answered its reader.
      while (runs.at(-1) === undefined || runs.at(-1)?.written === stages.length) {
        await new Promise<void>((resolve) => (asked = resolve));
      }
      const last = runs.at(-1);
      if (last === undefined) throw new Error("no reply runs");
      const write = [
        () => last.run.push({ type: "reasoning", text: "Two plus two 🧮" }),
        () => last.run.push({ type: "text", text: "Four" }),
        () => {
          last.run.say(", 四.");
          last.run.end();
        },
      ];
      for (; last.written <= stages.indexOf(until); last.written += 1) write[last.written]?.();
    },
    close: () => app.close(),
  };
}
