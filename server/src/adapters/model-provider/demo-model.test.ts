import { expect, test } from "vitest";
import type { ModelRequest } from "../../ports/model-provider.ts";
import { DemoModel, demoReply } from "./demo-model.ts";
import { collect, joined, modelProviderContract } from "./model-provider-contract.ts";

const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content }],
  purpose: "chat",
  thinking: false,
  ...more,
});
const model = new DemoModel({ contextTokens: 61440, paceMs: 0 });

modelProviderContract("demo", async () => ({
  model,
  request: ask("Show me everything 🙂", { thinking: true }),
  released: () => true,
  close: () => model.close(),
}));

test("says in the language of the question that it is no AI and how to connect one", () => {
  for (const question of ["hi", "show me a table"]) {
    expect(demoReply(ask(question)).answer).toContain("I am not an AI");
    expect(demoReply(ask(question)).answer).toContain("MODEL_BASE_URL");
  }
  expect(demoReply(ask("你好")).answer).toContain("我不是人工智能");
  expect(demoReply(ask("演示全部")).answer).toContain("MODEL_PATH");
});

test("shows what can be rendered", () => {
  for (const question of ["show me everything", "演示全部"]) {
    const { answer } = demoReply(ask(question));
    for (const part of ["\n## ", "\n| ", "```typescript", "```mermaid", "$$", "\n1. ", "\n> "]) {
      expect(answer).toContain(part);
    }
  }
});

test("goes on from many places of its reply", async () => {
  const request = ask("演示全部 🙂");
  const { answer } = demoReply(request);
  for (let cut = 1; cut < answer.length; cut += 211) {
    const known = answer.slice(0, cut);
    const chunks = await collect(model, { ...request, prefix: { reasoning: "", answer: known } });
    expect(known + joined(chunks, "text")).toBe(answer);
  }
});

test("thinks only when asked and names a chat by its first words", async () => {
  expect(joined(await collect(model, ask("hi")), "reasoning")).toBe("");
  const title = await collect(model, ask("What is\nthe weather in Berlin tomorrow?", { purpose: "title" }));
  expect(joined(title, "text")).toBe("What is the weather in Berlin…");
});

test("obeys a limit of tokens", async () => {
  const chunks = await collect(model, ask("hi", { maxTokens: 5 }));
  expect(chunks.at(-1)).toEqual({ type: "end", reason: "length" });
  expect(chunks).toHaveLength(7);
});
