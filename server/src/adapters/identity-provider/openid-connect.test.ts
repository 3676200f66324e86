import { afterAll, beforeAll, expect, test } from "vitest";
import { type Lie, openStandInOpenId, type StandInOpenId } from "../../../test/stand-in-openid.ts";
import { IdentityRefused } from "../../ports/identity-provider.ts";

const REDIRECT = "http://127.0.0.1:1/back";

let provider: StandInOpenId;
beforeAll(async () => {
  provider = await openStandInOpenId();
});
afterAll(() => provider.close());

/** Who comes back from the provider, or why nobody does. */
async function comeBack(lie: Lie): Promise<string> {
  const secrets = provider.port.newSecrets();
  const location = await provider.port.authorizationUrl(secrets, REDIRECT);
  const back = provider.accept(location, { sub: "ada" }, lie);
  try {
    return (await provider.port.identify(secrets, REDIRECT, Object.fromEntries(back.searchParams))).subject;
  } catch (error) {
    if (!(error instanceof IdentityRefused)) throw error;
    return `refused: ${error.reason}`;
  }
}

const inSecs = (secs: number) => ({ claims: { iat: Math.floor(Date.now() / 1000) + secs } });

test.each<[title: string, lie: Lie, outcome: string]>([
  ["an honest one", {}, "ada"],
  ["issued by a clock that is half a minute ahead", inSecs(30), "ada"],
  ["an empty sub", { claims: { sub: "" } }, "refused: answer"],
  ["a sub of spaces", { claims: { sub: "  " } }, "refused: answer"],
  ["a sub that is a number", { claims: { sub: 7 } }, "refused: answer"],
  ["no sub", { without: ["sub"] }, "refused: answer"],
  ["an iat two minutes ahead", inSecs(120), "refused: answer"],
  ["an iat a day ahead", inSecs(86_400), "refused: answer"],
  ["an iat that is text", { claims: { iat: "soon" } }, "refused: answer"],
  ["a foreign iss", { claims: { iss: "https://accounts.example.org" } }, "refused: answer"],
  ["an iss that only begins as ours", { claims: { iss: "http://127.0.0.1" } }, "refused: answer"],
  ["an empty iss", { claims: { iss: "" } }, "refused: answer"],
])("an ID token with %s", async (_title, lie, outcome) => {
  expect(await comeBack(lie)).toBe(outcome);
});
