// The code that reads the device id cannot be had at first.
import { expect, test, vi } from "vitest";
import { createEngine } from "./create-engine.ts";
import { createFakeBrowser, emptyDisk } from "./testing/fake-browser.ts";
import { createFakeServer } from "./testing/fake-server.ts";

const away = vi.hoisted(() => ({ tries: 0 }));
vi.mock("./site/device-id.ts", () => ({
  get createDeviceId() {
    away.tries += 1;
    if (away.tries === 1) throw new Error("no such file");
    return () => ({ get: async () => "d-1" });
  },
  loadDeviceScript: () => {},
}));

test("a device id whose code is not there is null, which is logged, and is asked for again [PLAT-026]", async () => {
  const server = createFakeServer();
  const browser = createFakeBrowser(server.network, emptyDisk());
  const engine = createEngine(browser, () => new Promise(() => {}));
  const entered = { identifier: "someone@example.com", password: "a long passphrase" };
  const sent = () => server.calls("/api/v0/users/login").map(({ body }) => body);

  expect(await engine.accounts.signIn(entered)).toEqual({ ok: true });
  expect(browser.logged).toContainEqual(expect.stringContaining("the device id could not be read"));
  await engine.accounts.signIn(entered);
  expect(sent()).toEqual([
    expect.not.objectContaining({ device_id: expect.anything() }),
    expect.objectContaining({ device_id: "d-1" }),
  ]);
  engine.stop();
});
