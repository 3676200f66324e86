import { expect, test } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createDeviceId, type DeviceScript } from "./device-id.ts";

function setUp(script: () => Promise<DeviceScript>, url: string | null = "/static/device-id.js") {
  const browser = createFakeBrowser(() => new Response());
  const loads: string[] = [];
  const device = createDeviceId({
    browser,
    scriptUrl: () => url,
    load(from) {
      loads.push(from);
      return script();
    },
  });
  return { browser, device, loads };
}
const giving = (id: string) => async () => ({ getDeviceId: async () => id });

test("[PLAT-024][PLAT-025] the script is loaded when the id is first asked for, once, and says it", async () => {
  const { device, loads } = setUp(giving("d-1"));
  expect([device.state(), loads]).toEqual(["not-loaded", []]);
  expect(await Promise.all([device.get(), device.get()])).toEqual(["d-1", "d-1"]);
  expect([device.state(), loads]).toEqual(["loaded", ["/static/device-id.js"]]);
});

test.each([
  ["cannot be had", () => Promise.reject(new Error("blocked"))],
  ["fails", async () => ({ getDeviceId: () => Promise.reject(new Error("no canvas")) })],
  ["says nothing", giving("")],
  ["says too much", giving("x".repeat(501))],
])("[PLAT-025][PLAT-026] of a script that %s there is no id, and the log says why", async (_what, script) => {
  const { browser, device } = setUp(script);
  expect(await device.get()).toBeNull();
  expect(device.state()).toBe("failed");
  expect(browser.logged.join()).toContain("device id could not be read");
});

test("[PLAT-026] a script that failed is asked again the next time, and not for those who ask at once", async () => {
  const tries = [() => Promise.reject(new Error("no network")), giving("d-1")];
  const { device, loads } = setUp(() => tries.shift()!());
  expect(await Promise.all([device.get(), device.get()])).toEqual([null, null]);
  expect(loads).toHaveLength(1);
  expect(await device.get()).toBe("d-1");
  expect([device.state(), loads.length]).toEqual(["loaded", 2]);
});

test("without a script the id is by chance, and the same from then on", async () => {
  const { device, browser, loads } = setUp(giving("d-1"), null);
  const id = await device.get();
  expect(id).toMatch(/^[\da-f]{32}$/);
  expect([await device.get(), browser.storage.get("plumb.deviceId"), loads]).toEqual([id, id, []]);
});
