import { expect, test } from "vitest";
import { createSupportMessenger, type MessengerScript } from "./support-messenger.ts";

const settings = { appId: "app1", scriptUrl: "https://help.example/w.js", region: "CN" };
const user = { id: "u1", email: "a@x.org", mobile: "138****5678" };

function setUp() {
  const said: unknown[][] = [];
  const logged: string[] = [];
  const loads: string[] = [];
  const network = { fails: false };
  const events: Record<string, () => void> = {};
  const script = ((command: string, payload?: unknown) => {
    if (typeof payload === "function") events[command] = payload as () => void;
    else said.push(payload === undefined ? [command] : [command, payload]);
  }) as MessengerScript;
  const messenger = createSupportMessenger({
    async load(url) {
      loads.push(url);
      await Promise.resolve();
      if (network.fails) throw new Error("blocked");
      return script;
    },
    log: (message) => void logged.push(message),
  });
  return { messenger, said, logged, loads, network, events };
}

test("[PLAT-014][PLAT-019] its script is loaded by the first boot, once; after a shutdown the next boot begins again", async () => {
  const { messenger, said, loads } = setUp();
  messenger.setup(settings);
  expect([messenger.state(), loads]).toEqual(["not-loaded", []]);
  const booting = messenger.boot(user);
  expect(messenger.state()).toBe("loading");
  await booting;
  expect([messenger.state(), loads]).toEqual(["loaded", [settings.scriptUrl]]);
  messenger.shutdown();
  expect(() => messenger.hide()).toThrow("boot must be called first");
  await messenger.boot(user);
  expect(said.map(([command]) => command)).toEqual(["boot", "shutdown", "boot"]);
  expect(loads).toHaveLength(1);
});

test("[PLAT-015][PLAT-017] it is told the app, the region and who asks, and brings no button of its own", async () => {
  const { messenger, said } = setUp();
  messenger.setup(settings);
  await messenger.boot(user);
  expect(said).toEqual([
    [
      "boot",
      {
        app_id: "app1",
        region: "CN",
        email: "a@x.org",
        name: "138****5678:a@x.org:u1",
        user_id: "u1",
        hide_default_launcher: true,
      },
    ],
  ]);
});

test("[PLAT-016][PLAT-018] update tells what changed, with the session of a data finder where there is one", async () => {
  const { messenger, said } = setUp();
  messenger.setup(settings);
  await messenger.boot(user);
  messenger.update({ dataFinderSessionId: "s1" });
  messenger.update({ email: "b@x.org" });
  expect(said.slice(1)).toEqual([
    ["update", { data_finder_session_id: "s1" }],
    ["update", { email: "b@x.org" }],
  ]);
});

test("[PLAT-016][PLAT-020] show waits until it is seen; hide, or its own hiding, ends the wait", async () => {
  const { messenger, said, events } = setUp();
  messenger.setup(settings);
  await messenger.boot(user);
  const seen = messenger.show();
  events["onShow"]?.();
  await expect(seen).resolves.toBeUndefined();
  const hidden = messenger.show();
  messenger.hide();
  await expect(hidden).rejects.toThrow("hidden");
  const gone = messenger.show();
  events["onHide"]?.();
  await expect(gone).rejects.toThrow("hidden");
  expect(said.slice(1)).toEqual([["show"], ["show"], ["hide"], ["show"]]);
});

test("[PLAT-021] a script that cannot be had is logged, and asked for again", async () => {
  const { messenger, logged, loads, network } = setUp();
  network.fails = true;
  messenger.setup(settings);
  await expect(messenger.boot(user)).rejects.toThrow("blocked");
  expect([messenger.state(), logged]).toEqual(["not-loaded", ["the support messenger was not loaded"]]);
  network.fails = false;
  await messenger.boot(user);
  expect([messenger.state(), loads.length]).toEqual(["loaded", 2]);
});

test("[PLAT-022][PLAT-023] calls in the wrong order are refused by name", async () => {
  const { messenger } = setUp();
  await expect(messenger.boot(user)).rejects.toThrow("setup must be called first");
  for (const call of [() => messenger.show(), () => messenger.hide(), () => messenger.shutdown()])
    expect(call).toThrow("setup must be called first");
  messenger.setup(settings);
  for (const call of [() => messenger.show(), () => messenger.hide()])
    expect(call).toThrow("boot must be called first");
});
