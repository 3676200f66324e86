// The engine's parts for the forms before sign-in load with them: chats do without, and signing in by password does without
// those of the forms with a code.
import type { Browser } from "./browser.ts";
import type { Accounts, CodeForms } from "./accounts/accounts-face.ts";
import type { CodeFormDeps } from "./accounts/code-forms.ts";
import type { FormResult } from "./accounts/sign-in-failures.ts";
import type { createDeviceId, DeviceIdDeps } from "./site/device-id.ts";

/** Brings the code; the screen of the forms waits for it. */
export const loadSignIn = () => import("./accounts/sign-in.ts");
export const loadCodeForms = () => import("./accounts/code-forms.ts");

type Forms = Pick<Accounts, "signIn" | "finishOauth">;
type Google = Pick<Accounts, "googleAddress">;
type Wechat = Pick<Accounts, "wechatPage" | "bindWechat">;
type Failure = Extract<FormResult, { ok: false }>;

/** What the forms do, over parts that may still have to come. Where one cannot be had, the form says so. */
export function createSignInPart(
  browser: Browser,
  given: Omit<CodeFormDeps, "deviceId"> & Pick<DeviceIdDeps, "scriptUrl">,
): Forms & Google & Wechat & CodeForms {
  let device: ReturnType<typeof createDeviceId> | null = null;
  /** Null also where the code for it cannot be had: nobody is kept out for that. The next call asks again. */
  async function deviceId(): Promise<string | null> {
    try {
      const { createDeviceId, loadDeviceScript } = await import("./site/device-id.ts");
      device ??= createDeviceId({ browser, scriptUrl: given.scriptUrl, load: loadDeviceScript });
      return await device.get();
    } catch (error) {
      browser.log("the device id could not be read", error);
      return null;
    }
  }
  /** The operator's desktop app hears that somebody has signed in, and not who (requirements 0§4). */
  function enter(): void {
    given.account.enter();
    const scheme = given.settings()?.misc.desktop_scheme ?? null;
    if (scheme !== null) browser.openProgram(`${scheme}://signed_in`);
  }
  const deps = { ...given, deviceId, account: { ...given.account, enter } };
  async function using<P, R>(load: () => Promise<P>, run: (part: P) => Promise<R>): Promise<R | Failure> {
    let part: P;
    try {
      part = await load();
    } catch (error) {
      browser.log("the part for the forms was not loaded", error);
      return { ok: false, field: null, text: { key: "networkError" } };
    }
    return run(part);
  }
  const signingIn = (run: (forms: Forms) => Promise<FormResult>): Promise<FormResult> =>
    using(async () => (await loadSignIn()).createSignIn(deps), run);
  const withCode = <R>(run: (forms: CodeForms) => Promise<R>): Promise<R | Failure> =>
    using(async () => (await loadCodeForms()).createCodeForms(deps), run);
  const loadWechat = () => import("./accounts/wechat.ts");
  return {
    wechatPage: () =>
      loadWechat().then(
        ({ wechatPage }) => wechatPage(deps),
        (error: unknown) => {
          browser.log("the part for WeChat was not loaded", error);
          return null;
        },
      ),
    bindWechat: (input) => using(loadWechat, ({ bindWechat }) => bindWechat({ ...deps, browser }, input)),
    signIn: (input) => signingIn((forms) => forms.signIn(input)),
    googleAddress: (captcha) =>
      loadSignIn().then(
        ({ createSignIn }) => createSignIn(deps).googleAddress(captcha),
        (error: unknown) => {
          browser.log("the part for Google was not loaded", error);
          return null;
        },
      ),
    finishOauth: (input) => signingIn((forms) => forms.finishOauth(input)),
    signUp: (input) => withCode((forms) => forms.signUp(input)),
    signUpByPhone: (input) => withCode((forms) => forms.signUpByPhone(input)),
    signInByCode: (input) => withCode((forms) => forms.signInByCode(input)),
    sendCode: (input) => withCode((forms) => forms.sendCode(input)),
    sendOwnCode: (channel) => withCode((forms) => forms.sendOwnCode(channel)),
    checkCode: (input) => withCode((forms) => forms.checkCode(input)),
    undoBinding: (token) => withCode((forms) => forms.undoBinding(token)),
    resetPassword: (input) => withCode((forms) => forms.resetPassword(input)),
  };
}
