import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { Script } from "./scripted-script.ts";
import { startScriptedUpstream, type ScriptedUpstream } from "./scripted-upstream.ts";

let upstream: ScriptedUpstream | undefined;
afterEach(() => upstream?.close());

async function start(...scripts: Script[]): Promise<ScriptedUpstream> {
  upstream = await startScriptedUpstream({ scripts });
  return upstream;
}

function ask(url: string, messages: object[], more: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer secret" },
    body: JSON.stringify({ model: "scripted-model", stream: true, messages, ...more }),
    ...(signal ? { signal } : {}),
  });
}

function read(body: string): {
  text: string;
  reasoning: string;
  finish: string[];
  done: number;
  usage: boolean;
} {
  const result = { text: "", reasoning: "", finish: [] as string[], done: 0, usage: false };
  for (const line of body.replace(/^\ufeff/, "").split(/\r?\n/)) {
    if (line === "data: [DONE]") result.done += 1;
    else if (line.startsWith("data: ")) {
      const event = JSON.parse(line.slice(6)) as {
        usage?: object;
        choices: { delta: { content?: string; reasoning_content?: string }; finish_reason: string | null }[];
      };
      result.text += event.choices[0]?.delta.content ?? "";
      result.reasoning += event.choices[0]?.delta.reasoning_content ?? "";
      if (event.choices[0]?.finish_reason) result.finish.push(event.choices[0].finish_reason);
      result.usage ||= event.usage !== undefined;
    }
  }
  return result;
}

const user = (content: string): object => ({ role: "user", content });

test("answers a question with the same text every time", async () => {
  const { url, expected, requests } = await start({ reasoning: 20, tokens: 200 });
  const first = read(await (await ask(url, [user("one")])).text());
  const second = read(await (await ask(url, [user("one")])).text());
  expect(first).toEqual(second);
  expect(first.text).toBe(expected("one").answer);
  expect(first.reasoning).toBe(expected("one").reasoning);
  expect(first.text).not.toBe(expected("two").answer);
  expect([first.finish, first.done, first.usage]).toEqual([["stop"], 1, true]);
  expect(requests[0]?.authorized).toBe(true);
  expect(JSON.stringify(requests)).not.toContain("secret");
});

test("goes on from every prefix to the undisturbed text", async () => {
  const { url, expected, requests } = await start({ reasoning: 5, tokens: 12 });
  const { answer, reasoning } = expected("q");
  for (let cut = 1; cut < answer.length; cut += 3) {
    const partial = { role: "assistant", content: answer.slice(0, cut) };
    const prefixed = read(await (await ask(url, [user("q"), partial])).text());
    expect(partial.content + prefixed.text).toBe(answer);
    expect(prefixed.reasoning).toBe("");
    const instructed = [user("q"), partial, user("Continue exactly where it stopped.")];
    expect(partial.content + read(await (await ask(url, instructed)).text()).text).toBe(answer);
  }
  const thinking = { role: "assistant", content: "", reasoning_content: reasoning.slice(0, 7), prefix: true };
  const rest = read(await (await ask(url, [user("q"), thinking])).text());
  expect([reasoning.slice(0, 7) + rest.reasoning, rest.text]).toEqual([reasoning, answer]);
  const tagged = { role: "assistant", content: `<think>\n${reasoning.slice(0, 7)}` };
  const plain = read(await (await ask(url, [user("q"), tagged])).text());
  expect(`${reasoning.slice(0, 7)}${plain.text}`).toBe(`${reasoning}\n</think>\n\n${answer}`);
  expect(new Set(requests.map((request) => request.kind))).toEqual(new Set(["continuation"]));
});

test("repeats an overlap when the script says so", async () => {
  const { url, expected } = await start({ repeatOverlap: 9 });
  const { answer } = expected("q");
  const partial = { role: "assistant", content: answer.slice(0, 30) };
  expect(read(await (await ask(url, [user("q"), partial])).text()).text).toBe(answer.slice(21));
});

test("scripts title calls apart and counts uses", async () => {
  const { url, requests } = await start(
    { match: { kind: "title" }, answer: "Named" },
    { match: { kind: "answer" }, times: 1, refusal: { kind: "http", status: 429 } },
    { match: { user: "special" }, answer: "S" },
  );
  const titleCall = [{ role: "system", content: "Write a title." }, user("hello")];
  expect(read(await (await ask(url, titleCall, { max_tokens: 40 })).text()).text).toBe("Named");
  expect((await ask(url, [user("special")])).status).toBe(429);
  expect(read(await (await ask(url, [user("special")])).text()).text).toBe("S");
  expect(requests.map((request) => request.kind)).toEqual(["title", "answer", "answer"]);
});

test("stalls until released and reports the position of an abort", async () => {
  const { url, requests, release, expected } = await start({ tokens: 40, fault: { kind: "stall", at: 50 } });
  const whole = ask(url, [user("a")]).then((response) => response.text());
  await expect.poll(() => requests[0]?.position ?? 0).toBeGreaterThanOrEqual(50);
  expect(requests[0]?.state).toBe("running");
  release();
  expect(read(await whole).text).toBe(expected("a").answer);
  expect(requests[0]?.state).toBe("finished");

  const abort = new AbortController();
  const response = await ask(url, [user("b")], {}, abort.signal);
  await response.body?.getReader().read();
  abort.abort();
  await expect.poll(() => requests[1]?.state).toBe("aborted_by_client");
  expect(requests[1]?.position).toBeLessThan(expected("b").answer.length);
});

test("odd framings carry the same text", async () => {
  const framings: Script[] = [
    { splitBytes: 1, newline: "\r\n" },
    { bom: true, done: "twice" },
    { gzip: true },
    { paceMs: 2, perTick: 5, chunkChars: 3 },
    { firstChunkMs: 10, done: "missing" },
    { fault: { kind: "comments", at: 10 } },
    { fault: { kind: "stall", at: 10, ms: 15 } },
  ];
  for (const framing of framings) {
    const { url, expected, close } = await startScriptedUpstream({ scripts: [{ tokens: 20, ...framing }] });
    const result = read(await (await ask(url, [user("x")])).text());
    await close();
    expect(result.text).toBe(expected("x").answer);
    expect(result.done).toBe(framing.done === "missing" ? 0 : framing.done === "twice" ? 2 : 1);
  }
});

test("breaks a connection by reset and by half close", async () => {
  const { url, requests } = await start(
    { times: 1, fault: { kind: "reset", at: 20 } },
    { times: 1, fault: { kind: "half_close", at: 20 } },
  );
  for (const index of [0, 1]) {
    await expect(ask(url, [user("x")]).then((response) => response.text())).rejects.toThrow(TypeError);
    await expect.poll(() => requests[index]?.state).toBe("broken_by_script");
  }
});

test("runs as a process and is driven over HTTP", async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("scripted-upstream.ts", import.meta.url)), "--port", "0"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const root = url.replace(/\/v1$/, "");
    const control = { scripts: [{ answer: "over HTTP" }], models: [{ id: "other" }] };
    await fetch(`${root}/__control`, { method: "POST", body: JSON.stringify(control) });
    expect(read(await (await ask(url, [user("x")])).text()).text).toBe("over HTTP");
    const models = (await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map((model) => model.id)).toEqual(["other"]);
    const seen = (await (await fetch(`${root}/__requests`)).json()) as { question: string }[];
    expect(seen.map((request) => request.question)).toEqual(["x"]);
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});
