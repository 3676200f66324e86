// Where nobody may sign up: no code goes out that registering would refuse (wire-contract.md §7.5, §8.3).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BesideServer } from "./conformance-target.ts";
import { type Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const codes = "/api/v0/users/create_email_verification_code";
const register = "/api/v0/users/register";

export function closedSignUpCases(world: World): void {
  describe.each([
    { where: "where sign-up is closed", settings: { SIGN_UP: "closed" }, no: [5, "REGISTRATION_CLOSED"] },
    { where: "in the mainland edition", settings: { EDITION: "mainland" }, no: [6, "FROM_MAINLAND"] },
  ])("$where", ({ settings, no }) => {
    const email = `nobody-${randomUUID()}@example.org`;
    let server: BesideServer;
    beforeAll(async () => {
      server = await world.target.startBeside(settings);
    });
    afterAll(() => server?.close());

    async function ask(path: string, body: Json) {
      const guest = new Person({ ...world.target, origin: server.origin });
      const { biz, msg } = await guest.post(path, body, await guest.guestProof(path));
      return [biz, msg];
    }

    it.each([{}, { scenario: "register" }])("no code is sent for %j", async (scenario) => {
      expect(await ask(codes, { email, ...scenario })).toEqual(no);
    });

    it("asking for a code for anything else tells nothing, and what is no address is told first", async () => {
      expect(await ask(codes, { email, scenario: "reset_password" })).toEqual([0, ""]);
      expect(await ask(codes, { email: "nonsense" })).toEqual([3, "INVALID_EMAIL_FORMAT"]);
    });

    it("registering is refused whatever the code", async () => {
      const payload = { email, email_verification_code: "123456", password: "long enough" };
      expect(await ask(register, { payload })).toEqual(no);
    });
  });
}
