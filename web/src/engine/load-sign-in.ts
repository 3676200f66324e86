// The engine's part for the forms before sign-in loads with them: chats do without it.
import type { Browser } from "./browser.ts";
import type { Accounts } from "./accounts/accounts-face.ts";
import type { SignInDeps } from "./accounts/sign-in.ts";
import type { createDeviceId, DeviceIdDeps } from "./site/device-id.ts";
import type { FormResult } from "./accounts/sign-in-failures.ts";

/** Brings the code; the screen of the forms waits for it. */
export const loadSignIn = () => import("./accounts/sign-in.ts");

type Forms = Pick<Accounts, "signIn" | "signUp" | "sendEmailCode" | "finishOauth">;

/** What the forms do, over a part that may still have to come. Where it cannot be had, the form says so. */
export function createSignInPart(
  browser: Browser,
  deps: Omit<SignInDeps, "deviceId"> & Pick<DeviceIdDeps, "scriptUrl">,
): Forms {
  let device: ReturnType<typeof createDeviceId> | null = null;
  async function deviceId(): Promise<string | null> {
    const { createDeviceId, loadDeviceScript } = await import("./site/device-id.ts");
    device ??= createDeviceId({ browser, scriptUrl: deps.scriptUrl, load: loadDeviceScript });
    return device.get();
  }
  async function withForms(run: (forms: Forms) => Promise<FormResult>): Promise<FormResult> {
    let forms: Forms;
    try {
      forms = (await loadSignIn()).createSignIn({ ...deps, deviceId });
    } catch (error) {
      browser.log("the part for the forms was not loaded", error);
      return { ok: false, field: null, text: { key: "networkError" } };
    }
    return run(forms);
  }
  return {
    signIn: (input) => withForms((forms) => forms.signIn(input)),
    signUp: (input) => withForms((forms) => forms.signUp(input)),
    sendEmailCode: (input) => withForms((forms) => forms.sendEmailCode(input)),
    finishOauth: (input) => withForms((forms) => forms.finishOauth(input)),
  };
}
