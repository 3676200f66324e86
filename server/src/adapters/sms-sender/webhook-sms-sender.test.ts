import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { WebhookSmsSender } from "./webhook-sms-sender.ts";

interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let gateway: Server;
let sender: WebhookSmsSender;
let received: Received[];
const secret = "a secret of sixteen";
const message = { to: "+8613812345678", code: "012345", scenario: "login", locale: "zh_CN" } as const;

afterEach(async () => {
  await sender.close();
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
});

/** A gateway that answers so, and a sender that knows it. */
async function open(
  answer: (response: ServerResponse) => void,
  options: { secret?: string; timeoutMs?: number } = {},
): Promise<void> {
  received = [];
  gateway = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
      });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const { port } = gateway.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/sms?account=7`;
  sender = new WebhookSmsSender({ url, secret, brandName: "Plumb", clock: new TestClock(), ...options });
}

test("one POST with what is to be sent, signed as Standard Webhooks are", async () => {
  await open((response) => response.writeHead(202).end());
  await sender.sendCode(message);
  expect(sender.kind).toBe("webhook");
  expect(received).toHaveLength(1);
  const [{ method, path, headers, body } = {} as Received] = received;
  expect([method, path, headers["content-type"]]).toEqual(["POST", "/sms?account=7", "application/json"]);
  expect(JSON.parse(body)).toEqual({
    ...message,
    text: "【Plumb】验证码：012345，10 分钟内有效。请勿告知他人；如非本人操作，请忽略。",
  });
  expect(headers["webhook-timestamp"]).toBe("1800000000");
  const signed = `${String(headers["webhook-id"])}.1800000000.${body}`;
  const expected = createHmac("sha256", secret).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);

  await sender.sendCode({ ...message, locale: "en_US" });
  expect(JSON.parse(received[1]?.body ?? "")).toMatchObject({
    text: "Plumb: your verification code is 012345. It is good for 10 minutes. Do not share it; if you did not ask for it, ignore this message.",
  });
  expect(received[1]?.headers["webhook-id"]).not.toBe(headers["webhook-id"]);
});

test("a notice is told with what it is about and its link", async () => {
  await open((response) => response.end("ok"));
  const link = "https://chat.example.org/undo_binding#a-b_c";
  const [to, locale] = ["+8613812345678", "zh_CN"] as const;
  await sender.sendNotice({ to, locale, notice: { about: "wechat_bound", link } });
  await sender.sendNotice({ to, locale, notice: { about: "password_changed", link: null } });
  const [bound, changed] = received.map(({ body }) => JSON.parse(body) as Record<string, string>);
  expect(bound).toMatchObject({ to, scenario: "wechat_bound", link, locale });
  expect(bound?.["text"]).toMatch(/^【Plumb】你的 Plumb 账号绑定了一个微信/u);
  expect(bound?.["text"]).toContain(` ${link}`);
  expect(changed).toMatchObject({ scenario: "password_changed", link: null });
});

test("a key as the standard writes it is decoded", async () => {
  const key = Buffer.from("0123456789abcdef0123456789abcdef");
  await open((response) => response.end("ok"), { secret: `whsec_${key.toString("base64")}` });
  await sender.sendCode(message);
  const { headers, body } = received[0] ?? ({} as Received);
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
});

test.each([
  ["400", (response: ServerResponse) => response.writeHead(400).end("no"), /answered 400/u],
  ["503", (response: ServerResponse) => response.writeHead(503).end(), /answered 503/u],
  [
    "a redirect, which is not followed",
    (response: ServerResponse) => response.writeHead(307, { location: "/sms" }).end(),
    /answered 307/u,
  ],
  ["an end without an answer", (response: ServerResponse) => response.destroy(), /SMS gateway: /u],
])("%s fails after one request", async (_name, answer, why) => {
  await open(answer);
  const failed = await sender.sendCode(message).catch((error: unknown) => error as Error);
  expect(failed).toBeInstanceOf(Error);
  expect((failed as Error).message).toMatch(why);
  expect((failed as Error).message).not.toMatch(/138|012345/u);
  expect(received).toHaveLength(1);
});

test("a gateway that says nothing is given up, and not asked again", async () => {
  await open(() => {}, { timeoutMs: 200 });
  await expect(sender.sendCode(message)).rejects.toThrow("the SMS gateway: ");
  expect(received).toHaveLength(1);
});

test("an answer without an end is left", async () => {
  await open((response) => {
    response.writeHead(200);
    const more = (): void => {
      if (!response.destroyed) response.write("x".repeat(65_536), () => setImmediate(more));
    };
    more();
  });
  await sender.sendCode(message);
  expect(received).toHaveLength(1);
});
