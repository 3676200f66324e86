import { expect, test } from "vitest";
import { autoContinuation, endpointKind, firstChatModel, isLocalEndpoint } from "./endpoint-kind.ts";
import { autoThinkingStyle, thinkingFields } from "./thinking-style.ts";

test("tells servers by host and path, owner and port", () => {
  const cases: [string, string | undefined, string, string][] = [
    ["https://api.deepseek.com/beta", undefined, "deepseek_beta", "prefix"],
    ["https://api.deepseek.com/v1", undefined, "deepseek", "instruct"],
    ["https://api.openai.com/v1", "system", "openai", "instruct"],
    ["https://dashscope.aliyuncs.com/compatible-mode/v1", undefined, "dashscope", "instruct"],
    ["http://127.0.0.1:11434/v1", undefined, "ollama", "prefix"],
    ["http://localhost:1234/v1", undefined, "lmstudio", "instruct"],
    ["http://gpu.example.com:9000/v1", "vllm", "vllm", "prefix"],
    ["http://localhost:8000/v1", "llamacpp", "llamacpp", "prefix"],
    ["https://example.com:8000/v1", undefined, "other", "instruct"],
  ];
  for (const [url, owner, kind, continuation] of cases) {
    const found = endpointKind(url, [{ id: "m", ...(owner ? { owned_by: owner } : {}) }]);
    expect([url, found, autoContinuation(found)]).toEqual([url, kind, continuation]);
  }
});

test("knows addresses of this machine and its network", () => {
  for (const host of [
    "localhost",
    "127.0.0.1",
    "[::1]",
    "192.168.1.7",
    "10.0.0.2",
    "172.20.0.3",
    "ollama",
    "box.lan",
  ]) {
    expect([host, isLocalEndpoint(`http://${host}:8080/v1`)]).toEqual([host, true]);
  }
  for (const host of ["api.deepseek.com", "8.8.8.8", "172.32.0.1", "[2606::1]"]) {
    expect([host, isLocalEndpoint(`https://${host}/v1`)]).toEqual([host, false]);
  }
});

test("takes no embedding, reranking or speech model for a chat model", () => {
  const others = [
    "text-embedding-3-small",
    "bge-m3",
    "nomic-embed-text",
    "jina-reranker-v2",
    "whisper-1",
    "tts-1",
    "qwen3-asr",
  ];
  for (const id of others) expect([id, firstChatModel([{ id }])]).toEqual([id, undefined]);
  for (const id of ["gpt-4o", "llama3.2:1b", "deepseek-chat", "qwen3:8b", "gemma-3-27b-it"]) {
    expect(firstChatModel([{ id: "bge-m3" }, { id }])?.id).toBe(id);
  }
});

test("asks for thinking as the server and the model want it", () => {
  expect(autoThinkingStyle("deepseek_beta", "deepseek-chat")).toBe("thinking_type");
  expect(autoThinkingStyle("openai", "gpt-4o")).toBe("none");
  expect(autoThinkingStyle("openai", "gpt-5-mini")).toBe("reasoning_effort");
  expect(autoThinkingStyle("ollama", "llama3.2:1b")).toBe("none");
  expect(autoThinkingStyle("ollama", "qwen3:8b")).toBe("reasoning_effort");
  expect(autoThinkingStyle("vllm", "openai/gpt-oss-20b")).toBe("reasoning_effort");
  expect(autoThinkingStyle("vllm", "any")).toBe("enable_thinking");
  expect(autoThinkingStyle("other", "unknown")).toBe("none");
  expect(thinkingFields("reasoning_effort", "ollama", "qwen3:8b", false)).toEqual({
    reasoning_effort: "none",
  });
  expect(thinkingFields("enable_thinking", "dashscope", "qwen3-max", true)).toEqual({
    enable_thinking: true,
  });
});
