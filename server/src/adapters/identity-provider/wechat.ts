// WeChat's login for web sites: the code of its QR page becomes a person (https://developers.weixin.qq.com/doc/oplatform/
// Website_App/WeChat_Login/Wechat_Login.html).
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { askJson, NoAnswer } from "../../platform/http/ask-json.ts";
import { IdentityRefused, type WechatLogin } from "../../ports/identity-provider.ts";

const TIMEOUT_MS = 8000;
const NAME_CHARS = 100;
const ADDRESS_CHARS = 2048;
/** Its codes for a code that is unknown, used or expired: the person may try again. */
const CODE_ERRORS: readonly unknown[] = [40029, 40163, 42003];

interface WechatOptions {
  appId: string;
  appSecret: string;
  /** Of its calls. */
  baseUrl: string;
  /** The page with the QR code. */
  loginUrl: string;
}

type Said = Record<string, unknown>;

export function createWechatLogin({ appId, appSecret, baseUrl, loginUrl }: WechatOptions): WechatLogin {
  /** It answers 200 also where it refuses: `errcode` says so. */
  async function ask(path: string, query: Record<string, string>): Promise<Said> {
    const url = new URL(baseUrl + path);
    url.search = new URLSearchParams(query).toString();
    let said: unknown;
    try {
      said = await askJson({ url, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw new IdentityRefused("answer", `WeChat: ${error.message}`);
    }
    if (typeof said !== "object" || said === null) throw new IdentityRefused("answer", "WeChat: no object");
    const { errcode } = said as Said;
    if (errcode !== undefined && errcode !== 0) {
      const reason = CODE_ERRORS.includes(errcode) ? "code" : "answer";
      throw new IdentityRefused(reason, `WeChat: errcode ${typeof errcode === "number" ? errcode : "?"}`);
    }
    return said as Said;
  }

  return {
    appId,

    qrUrl({ redirectUri, state }) {
      const url = new URL(loginUrl);
      url.search = new URLSearchParams({
        appid: appId,
        scope: "snsapi_login",
        redirect_uri: redirectUri,
        state,
        login_type: "jssdk",
        self_redirect: "false",
      }).toString();
      return url.href;
    },

    async exchange(code) {
      const said = await ask("/sns/oauth2/access_token", {
        appid: appId,
        secret: appSecret,
        code,
        grant_type: "authorization_code",
      });
      return {
        openId: required(said, "openid"),
        unionId: textOf(said["unionid"], ADDRESS_CHARS),
        accessToken: required(said, "access_token"),
      };
    },

    async profile({ accessToken, openId }) {
      const said = await ask("/sns/userinfo", { access_token: accessToken, openid: openId, lang: "zh_CN" });
      const picture = textOf(said["headimgurl"], ADDRESS_CHARS);
      return {
        openId: required(said, "openid"),
        name: textOf(said["nickname"], NAME_CHARS) ?? "",
        picture: picture !== null && URL.canParse(picture) && /^https?:/u.test(picture) ? picture : null,
      };
    },
  };
}

function required(said: Said, name: string): string {
  const text = textOf(said[name], ADDRESS_CHARS);
  if (text === null) throw new IdentityRefused("answer", `WeChat: no ${name}`);
  return text;
}

function textOf(value: unknown, most: number): string | null {
  return typeof value === "string" && value !== "" ? firstCodePoints(value, most) : null;
}
