// Which device this is (requirements 0§4, 0§7): by the fingerprint script where the operator wants one, else by chance.
import type { Browser } from "../browser.ts";

/** What the fingerprint script exports. */
export interface DeviceScript {
  getDeviceId(): Promise<string>;
}

export type DeviceScriptState = "not-loaded" | "loaded" | "failed";

const STORED_AS = "plumb.deviceId";
/** Longer ones are not sent (requirements 0§5). */
const MOST_CHARS = 500;

export interface DeviceIdDeps {
  browser: Browser;
  /** Where the script is; null: none is wanted. */
  scriptUrl(): string | null;
  load(url: string): Promise<DeviceScript>;
}

/** The script as a module; the page's policy lets in those of its own origin alone. */
export async function loadDeviceScript(url: string): Promise<DeviceScript> {
  return (await import(/* @vite-ignore */ url)) as DeviceScript;
}

export function createDeviceId({ browser, scriptUrl, load }: DeviceIdDeps) {
  let state: DeviceScriptState = "not-loaded";
  let asked: Promise<string | null> | null = null;

  /** A number by chance, the same for as long as this browser keeps it. */
  function ofThisBrowser(): string {
    const kept = browser.storage.get(STORED_AS);
    if (kept !== null && /^[\da-f]{32}$/.test(kept)) return kept;
    const made = [...browser.randomBytes(16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    browser.storage.set(STORED_AS, made);
    return made;
  }

  async function ofScript(url: string): Promise<string | null> {
    try {
      const id = await (await load(url)).getDeviceId();
      if (id === "" || id.length > MOST_CHARS) throw new Error(`a device id of ${id.length} characters`);
      state = "loaded";
      return id;
    } catch (error) {
      state = "failed";
      // The next form asks again: by then the network may be back.
      asked = null;
      browser.log("the device id could not be read", error);
      return null;
    }
  }

  return {
    state: (): DeviceScriptState => state,
    /** Null where the script failed. */
    get(): Promise<string | null> {
      const url = scriptUrl();
      if (url === null) return Promise.resolve(ofThisBrowser());
      return (asked ??= ofScript(url));
    },
  };
}
