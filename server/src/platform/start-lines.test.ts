import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, test } from "vitest";
import type { ModelInfo } from "../ports/model-provider.ts";
import { placesOf, startLines } from "./start-lines.ts";

const four = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  family: "IPv4",
  netmask: "255.255.255.0",
  mac: "00:00:00:00:00:00",
  cidr: `${address}/24`,
});
const six = (address: string, scopeid = 0): NetworkInterfaceInfo => ({
  ...four(address),
  family: "IPv6",
  scopeid,
});

const interfaces = {
  lo: [four("127.0.0.1", true)],
  docker0: [four("172.17.0.1")],
  wlan0: [six("fe80::1", 3), six("2001:db8::7"), four("192.168.1.7")],
};
const demo: ModelInfo = {
  name: "Demo (not an AI)",
  kind: "demo",
  contextTokens: 1000,
  thinking: true,
  continuation: "prefix",
};
const endpoint: ModelInfo = {
  ...demo,
  kind: "endpoint",
  name: "deepseek-chat",
  address: "https://api.deepseek.com",
};
const lines = (host: string, model = demo, publicUrl: string | null = null): string[] =>
  startLines({ brandName: "Plumb", host, publicUrl }, 3000, model, interfaces, {
    offered: [],
    invitation: null,
  });

describe("the last lines of a start", () => {
  test.each([
    [demo, 'a demo that is no AI. How to connect one: README.md, "Connect a model"'],
    [endpoint, "deepseek-chat at https://api.deepseek.com"],
    [
      { ...endpoint, trouble: "refused the key (401): check MODEL_API_KEY" },
      "deepseek-chat at https://api.deepseek.com, which refused the key (401): check MODEL_API_KEY",
    ],
    [
      {
        ...endpoint,
        name: "127.0.0.1:11434",
        address: "http://127.0.0.1:11434/v1",
        trouble: "does not answer",
      },
      "http://127.0.0.1:11434/v1, which does not answer",
    ],
    [{ ...demo, kind: "embedded" as const, name: "qwen3-0.6b" }, "qwen3-0.6b, in this process"],
  ])("name the model %#", (model, words) => {
    expect(lines("127.0.0.1", model)[0]).toBe(`Model: ${words}`);
  });

  test.each(["127.0.0.1", "::1", "localhost"])("say how to open %s to the network", (host) => {
    expect(lines(host)[1]).toContain("HOST=0.0.0.0 npm start");
  });

  test("name the addresses for other devices, without those inside this machine", () => {
    expect(lines("0.0.0.0").slice(1)).toEqual([
      "Other devices of your network open http://192.168.1.7:3000",
      "Plumb is ready: http://localhost:3000",
    ]);
    expect(lines("::")[1]).toBe(
      "Other devices of your network open http://192.168.1.7:3000 or http://[2001:db8::7]:3000",
    );
    const alone = { brandName: "P", host: "::", publicUrl: null };
    expect(startLines(alone, 1, demo, {}, { offered: [], invitation: null })).toHaveLength(2);
  });

  test("name the models that people may choose, and those the endpoint does not have", () => {
    const offered = [
      { id: "qwen3:8b", name: "Qwen", listed: true },
      { id: "gpt", name: "gpt", listed: false },
    ];
    const [model, choice] = startLines(
      { brandName: "P", host: "::", publicUrl: "https://p" },
      1,
      endpoint,
      {},
      { offered, invitation: null },
    );
    expect(model).toBe("Model: deepseek-chat at https://api.deepseek.com");
    expect(choice).toBe("People may choose: Qwen (qwen3:8b), gpt, which the endpoint does not list");
  });

  test("what an endpoint calls itself cannot write to the terminal", () => {
    const model = {
      ...endpoint,
      name: "x\u001b[2J\nPlumb is ready: http://evil.example",
      trouble: "says \u009b2J",
    };
    const shown = lines("127.0.0.1", model);
    expect(shown).toHaveLength(3);
    expect(shown.join("")).not.toMatch(/\p{Cc}/u);
  });

  test("end with the link for the first account, while there is none", () => {
    const last = (host: string, publicUrl: string | null = null) =>
      startLines({ brandName: "P", host, publicUrl }, 3000, demo, interfaces, {
        offered: [],
        invitation: "abc-DEF_123",
      }).at(-1);
    expect(last("0.0.0.0")).toBe(
      "Open this to make the first account: http://localhost:3000/sign_up?invitation=abc-DEF_123",
    );
    expect(last("0.0.0.0", "https://chat.example.org")).toBe(
      "Open this to make the first account: https://chat.example.org/sign_up?invitation=abc-DEF_123",
    );
  });

  test("end with the one address where there is one", () => {
    expect(lines("192.168.1.7").slice(1)).toEqual(["Plumb is ready: http://192.168.1.7:3000"]);
    expect(lines("0.0.0.0", demo, "https://chat.example.org").slice(1)).toEqual([
      "Plumb is ready: https://chat.example.org",
    ]);
  });
});

test.each([
  ["127.0.0.1", null, { onlyHere: true, elsewhere: [] }],
  ["0.0.0.0", null, { onlyHere: false, elsewhere: ["http://192.168.1.7:3000"] }],
  ["192.168.1.7", null, { onlyHere: false, elsewhere: [] }],
  ["0.0.0.0", "https://chat.example.org", { onlyHere: false, elsewhere: [] }],
])("a link to a server on %s with the public address %s", (host, publicUrl, places) => {
  expect(placesOf({ host, publicUrl }, 3000, interfaces)).toEqual(places);
});
