import { networkInterfaces } from "node:os";
import { expect, test } from "../support/journey.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

function homeNetworkAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const found = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (found === undefined)
    throw new Error("This journey needs a network address besides loopback, and the machine has none.");
  return found.address;
}

test("opened over plain HTTP from the home network: sign-up, a message and copying work [ENG-084]", async ({
  openAs,
  upstream,
  startStack,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 60, paceMs: 15 });
  const stack = await startStack({ HOST: "0.0.0.0" });
  const origin = `http://${homeNetworkAddress()}:${stack.server.port}`;
  const page = await openAs(null, { origin, path: "/sign_up" });
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  const email = "home@example.com";
  await new SignInPage(page).signUp({
    email,
    password: "a home password",
    code: () => stack.codeFor(email),
  });
  await expect(page).toHaveURL(`${origin}/`);

  const chat = new ChatPage(page);
  await chat.send(question);
  await chat.answerReaches(40);
  await page.reload();
  await chat.finished();
  expect(plain(await chat.answer())).toBe(plain(upstream.expected(question).answer));

  await chat.lastReply.getByRole("button", { name: chat.text("common.copy") }).click();
  await expect(chat.lastReply.getByRole("button", { name: chat.text("common.copied") })).toBeVisible();
  await chat.composer.focus();
  await page.keyboard.press("Control+v");
  expect(plain(await chat.composer.inputValue())).toBe(plain(upstream.expected(question).answer));
});
