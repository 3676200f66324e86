// Few operators connect services of their own: the code for them loads once the settings name one.
import type { Engine } from "../engine/engine.ts";
import type { OutsideWired } from "./outside-services.ts";

/** Starts what outside-services.ts does when the settings first want any of it. Gives back the way to stop. */
export function startWantedServices(engine: Engine, wired: OutsideWired): () => void {
  const { settings: store } = engine.site;
  const ended = new AbortController();
  let asked = false;

  async function start(): Promise<void> {
    try {
      const { startOutsideServices } = await import("./outside-services.ts");
      if (!ended.signal.aborted) ended.signal.addEventListener("abort", startOutsideServices(engine, wired));
    } catch (error) {
      wired.browser.log("the part for the operator's services was not loaded", error);
      // The next change of the settings tries again.
      asked = false;
    }
  }

  function look(): void {
    const analytics = store.getState().settings?.analytics;
    if (asked || analytics === undefined) return;
    asked = analytics.enabled || analytics.error_report_url !== null;
    if (asked) void start();
  }
  ended.signal.addEventListener("abort", store.subscribe(look));
  look();
  return () => ended.abort();
}
