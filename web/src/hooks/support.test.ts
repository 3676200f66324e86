import type { ClientSettings } from "@plumb/protocol/wire/site";
import { afterEach, expect, test, vi } from "vitest";
import type { Engine } from "../engine/engine.ts";
import { engineAtRest } from "../engine/testing/engine-at-rest.ts";

afterEach(() => vi.unstubAllGlobals());

/** A page whose vendor's script comes when the test says so; what that is told. */
async function open() {
  vi.resetModules();
  const { openSupport } = await import("./support.ts");
  const told: string[] = [];
  const script = (command: string, payload?: { user_id?: string }) => {
    told.push(payload?.user_id === undefined ? command : `${command} ${payload.user_id}`);
    if (command === "onShow") onShow = payload as unknown as () => void;
    if (command === "show") onShow();
  };
  let onShow = (): void => {};
  let comes = (): void => {};
  vi.stubGlobal("window", { Intercom: script });
  vi.stubGlobal("document", {
    createElement: () => ({
      addEventListener: (type: string, run: () => void) => type === "load" && (comes = run),
    }),
    head: { append: () => {} },
  });
  const engine: Engine = await engineAtRest();
  engine.site.settings.setState({
    settings: {
      support: { app_id: "app", script_url: "https://help.example/x.js", region: "CN" },
    } as unknown as ClientSettings,
  });
  const signIn = (id: string) =>
    engine.accounts.auth.setState({
      status: "yes",
      user: { id, email: "", mobile_number: "", chat: { is_muted: 0, mute_until: null } } as never,
      reason: "none",
    });
  signIn("one");
  return { engine, told, signIn, open: () => openSupport(engine), come: () => comes() };
}

test("whoever follows another account in this page begins a conversation of their own", async () => {
  const { told, signIn, open: ask, come } = await open();
  const first = ask();
  come();
  await first;
  // Another tab has signed out and in; this page has seen the end of it alone.
  signIn("two");
  await ask();
  const commands = told.filter((command) => !command.startsWith("on"));
  expect(commands).toEqual(["boot one", "show", "shutdown", "boot two", "show"]);
});

test("who has left before the script came is not shown to whoever comes", async () => {
  const { engine, told, signIn, open: ask, come } = await open();
  const asked = ask();
  engine.accounts.auth.setState({ status: "no", user: null, reason: "signed-out" });
  come();
  await asked;
  expect(told).not.toContain("show");
  expect(told.at(-1)).not.toBe("boot one");
  signIn("two");
  await ask();
  expect(told.slice(-2)).toEqual(["boot two", "show"]);
});
