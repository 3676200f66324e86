// WeChat's two calls on loopback, with the shapes of its errors.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWechatLogin } from "../src/adapters/identity-provider/wechat.ts";

const APP_ID = "wx-app";
const SECRET = "wx-secret";

export interface WechatPerson {
  openid: string;
  unionid?: string;
  nickname?: string;
}

export type StandInWechat = Awaited<ReturnType<typeof openStandInWechat>>;

export async function openStandInWechat() {
  const codes = new Map<string, WechatPerson>();
  const tokens = new Map<string, WechatPerson>();
  /** What a call answers instead. */
  const lies: { access_token?: unknown; userinfo?: unknown; down?: boolean; person?: WechatPerson } = {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const query = url.searchParams;
    const answer = (body: unknown) =>
      void response.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify(body));
    if (lies.down === true) return void request.socket.destroy();
    if (url.pathname === "/connect/qrconnect") {
      // The page with the code; a scan of it sends the whole browser on.
      const back = new URL(query.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({
        code: grant(lies.person ?? { openid: "o" }),
        state: query.get("state") ?? "",
      }).toString();
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!doctype html><title>QR</title><a target="_top" href="${back.href.replaceAll("&", "&amp;")}">scan</a>`,
        );
    }
    if (url.pathname === "/sns/oauth2/access_token") {
      if (lies.access_token !== undefined) return answer(lies.access_token);
      if (query.get("appid") !== APP_ID) return answer({ errcode: 40013, errmsg: "invalid appid" });
      if (query.get("secret") !== SECRET) return answer({ errcode: 40125, errmsg: "invalid appsecret" });
      const code = query.get("code") ?? "";
      const person = codes.get(code);
      codes.delete(code);
      if (person === undefined || query.get("grant_type") !== "authorization_code")
        return answer({ errcode: 40029, errmsg: "invalid code" });
      const token = randomBytes(12).toString("hex");
      tokens.set(token, person);
      return answer({
        access_token: token,
        expires_in: 7200,
        refresh_token: "r",
        openid: person.openid,
        scope: "snsapi_login",
        ...(person.unionid === undefined ? {} : { unionid: person.unionid }),
      });
    }
    if (url.pathname === "/sns/userinfo") {
      if (lies.userinfo !== undefined) return answer(lies.userinfo);
      const person = tokens.get(query.get("access_token") ?? "");
      if (person === undefined) return answer({ errcode: 40001, errmsg: "invalid credential" });
      return answer({ ...person, sex: 0, headimgurl: "https://thirdwx.qlogo.cn/a/0", privilege: [] });
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function grant(person: WechatPerson): string {
    const code = randomBytes(8).toString("hex");
    codes.set(code, person);
    return code;
  }

  return {
    lies,
    settings: {
      WECHAT_APP_ID: APP_ID,
      WECHAT_APP_SECRET: SECRET,
      WECHAT_BASE_URL: baseUrl,
      WECHAT_LOGIN_URL: `${baseUrl}/connect/qrconnect`,
    },
    port: createWechatLogin({
      appId: APP_ID,
      appSecret: SECRET,
      baseUrl,
      loginUrl: `${baseUrl}/connect/qrconnect`,
    }),
    /** A code, as the browser of a person who has scanned brings it. */
    grant,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
