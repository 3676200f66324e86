// The support messenger in a page: its script, and whom it is told of. Loaded when help is first asked for.
import type { Engine } from "../engine/engine.ts";
import { createSupportMessenger, type MessengerScript } from "../engine/site/support-messenger.ts";
import { keepLog } from "./log-queue.ts";

/** The name under which the script stands in the page. */
const GLOBAL = "Intercom";

function addScript(url: string): Promise<MessengerScript> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => {
      const loaded = (window as unknown as Record<string, unknown>)[GLOBAL];
      if (typeof loaded === "function") resolve(loaded as MessengerScript);
      else reject(new Error("the script brings no messenger"));
    });
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error("the script cannot be had"));
    });
    document.head.append(script);
  });
}

const messenger = createSupportMessenger({
  load: addScript,
  log: (message, detail) => keepLog(Date.now(), message, detail),
});
let bootedFor: string | null = null;

/** Shows the messenger to who is signed in; says so where it cannot be had. The conversation ends as they leave. */
export async function openSupport(engine: Engine): Promise<void> {
  const { support } = engine.site.settings.getState().settings ?? {};
  const { auth } = engine.accounts;
  const { user } = auth.getState();
  if (support?.app_id == null || support.script_url === null || user === null) return;
  messenger.setup({ appId: support.app_id, scriptUrl: support.script_url, region: support.region });
  try {
    if (bootedFor !== user.id) {
      await messenger.boot({ id: user.id, email: user.email, mobile: user.mobile_number });
      bootedFor = user.id;
      // Somebody else may follow at once, by another tab.
      const isHere = () => auth.getState().user?.id === user.id;
      const leave = () => {
        if (isHere()) return;
        stop();
        bootedFor = null;
        messenger.shutdown();
      };
      const stop = auth.subscribe(leave);
      leave();
      if (!isHere()) return;
    }
    await messenger.show();
  } catch (error) {
    // Hidden again before it was seen is no fault.
    if (messenger.state() !== "loaded")
      engine.site.showToast({ type: "error", text: { key: "networkError" } });
    keepLog(Date.now(), "the support messenger is not shown", error);
  }
}
