import { expect, test, vi } from "vitest";
import type { Call } from "@plumb/protocol/wire/call";

const loadModules = () =>
  Promise.all([
    import("@plumb/protocol/wire/accounts"),
    import("@plumb/protocol/wire/exports"),
    import("@plumb/protocol/wire/history"),
    import("@plumb/protocol/wire/sign-in"),
    import("@plumb/protocol/wire/guard"),
    import("@plumb/protocol/wire/history"),
    import("@plumb/protocol/wire/replies"),
    import("@plumb/protocol/wire/sessions"),
    import("@plumb/protocol/wire/site"),
    import("@plumb/protocol/wire/turns"),
  ]);

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "path" in value && "request" in value;
}

async function loadCalls(): Promise<Map<string, Call>> {
  const modules: object[] = await loadModules();
  const named = modules.flatMap((module) => Object.entries(module) as [string, unknown][]);
  return new Map(named.filter((entry): entry is [string, Call] => isCall(entry[1])));
}

test("the page's calls are the server's, but for their schemas", async () => {
  const checked = await loadCalls();
  vi.resetModules();
  vi.doMock("zod/mini", () => import("./unread-schemas.ts"));
  const unread = await loadCalls();
  expect(checked.size).toBeGreaterThan(10);
  expect([...unread.keys()]).toEqual([...checked.keys()]);
  for (const [name, call] of checked) {
    const inPage = unread.get(name);
    expect(inPage?.request).not.toBe(call.request);
    expect({ ...inPage, request: null }, name).toEqual({ ...call, request: null });
  }
});
