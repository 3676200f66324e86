// The support messenger (requirements 0§7): its script is loaded when help is first asked for, and not before.

/** What the vendor's script offers: one function for all, of Intercom's interface. */
export interface MessengerScript {
  (command: "boot" | "update", payload: Record<string, unknown>): void;
  (command: "show" | "hide" | "shutdown"): void;
  (command: "onShow" | "onHide", run: () => void): void;
}

export interface SupportSettings {
  appId: string;
  scriptUrl: string;
  region: string;
}

export interface SupportUser {
  id: string;
  email: string;
  mobile: string;
}

export interface SupportDeps {
  /** Brings the script; rejects where it cannot be had. */
  load(scriptUrl: string): Promise<MessengerScript>;
  log(message: string, detail?: unknown): void;
}

export type SupportState = "not-loaded" | "loading" | "loaded";

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

export function createSupportMessenger({ load, log }: SupportDeps) {
  let settings: SupportSettings | null = null;
  let state: SupportState = "not-loaded";
  let script: MessengerScript | null = null;
  let booted = false;
  let showing: Waiting[] = [];

  function settle(run: (one: Waiting) => void): void {
    const settled = showing;
    showing = [];
    settled.forEach(run);
  }
  const giveUp = (why: string): void => settle(({ reject }) => reject(new Error(why)));

  async function loaded({ scriptUrl }: SupportSettings): Promise<MessengerScript> {
    if (script !== null) return script;
    state = "loading";
    try {
      script = await load(scriptUrl);
    } catch (error) {
      state = "not-loaded";
      log("the support messenger was not loaded", error);
      throw error;
    }
    state = "loaded";
    script("onShow", () => settle(({ resolve }) => resolve()));
    script("onHide", () => giveUp("the messenger was hidden"));
    return script;
  }

  function ready(): MessengerScript {
    if (settings === null) throw new Error("setup must be called first");
    if (!booted || script === null) throw new Error("boot must be called first");
    return script;
  }

  return {
    state: (): SupportState => state,
    setup(given: SupportSettings): void {
      settings = given;
    },
    /** Loads it where it is not there, and begins a conversation as this user. Rejects where it cannot be had. */
    async boot({ id, email, mobile }: SupportUser): Promise<void> {
      if (settings === null) throw new Error("setup must be called first");
      const run = await loaded(settings);
      run("boot", {
        app_id: settings.appId,
        region: settings.region,
        email,
        name: [mobile, email, id].join(":"),
        user_id: id,
        hide_default_launcher: true,
      });
      booted = true;
    },
    /** Resolves when it is seen; rejects when it is hidden before that. */
    show(): Promise<void> {
      const run = ready();
      return new Promise((resolve, reject) => {
        showing.push({ resolve, reject });
        run("show");
      });
    },
    hide(): void {
      ready()("hide");
      giveUp("the messenger was hidden");
    },
    /** Ends the conversation on this screen; the next boot begins another. */
    shutdown(): void {
      if (settings === null) throw new Error("setup must be called first");
      if (booted) script?.("shutdown");
      booted = false;
      giveUp("the messenger was shut down");
    },
    /** What has changed of the user; `dataFinderSessionId` where a service of analytics has one. */
    update(change: { email?: string; dataFinderSessionId?: string }): void {
      const { email, dataFinderSessionId } = change;
      ready()("update", {
        ...(email === undefined ? {} : { email }),
        ...(dataFinderSessionId === undefined ? {} : { data_finder_session_id: dataFinderSessionId }),
      });
    },
  };
}
