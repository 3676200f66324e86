import { afterEach, describe, expect, test } from "vitest";
import { type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { deleteInvitationsOf } from "./invitation-store.ts";
import { INVITATION_LIFE_MS, inviteFirst, makeInvitation } from "./invitations.ts";

const PASSWORD = "correct horse";

describe.each(engines)("invitations on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const result = ({ body }: { body: { data: { biz_code: number; biz_msg: string } | null } }) => [
    body.data?.biz_code,
    body.data?.biz_msg,
  ];
  const invite = (email: string | null = null) => makeInvitation(door.opened.db, email, door.time.nowMs);
  const first = () => inviteFirst(door.deps, door.time.nowMs);
  const accept = (email: string, invitation: string | null, password = PASSWORD) =>
    door.register({ email, invitation, password });

  test.each(["invitation", "closed"] as const)("sign up without a code where it is %s", async (signUp) => {
    door = await openFrontDoor(engine, { signUp, emailDomains: ["example.com"] });
    expect(result(await door.askCode({ email: "a@example.com" }))).toEqual([5, "REGISTRATION_CLOSED"]);
    expect(door.mails).toEqual([]);
    const byCode = await door.register({
      email: "a@example.com",
      email_verification_code: "123456",
      password: PASSWORD,
    });
    expect(result(byCode)).toEqual([5, "REGISTRATION_CLOSED"]);
    const made = await accept("A@x.org", await invite());
    expect(made.body.data?.biz_data).toMatchObject({ code: 0, user: { email: "a*****@x.org" } });
  });

  test("are good once, for seven days, and for the address that they name; what is wrong with one is not told", async () => {
    door = await openFrontDoor(engine, { edition: "mainland" });
    const once = await invite();
    expect(result(await accept("a@x.org", once))[0]).toBe(0);
    const named = await invite("c@x.org");
    const late = await invite();
    const refused = [
      await accept("b@x.org", once),
      await accept("b@x.org", named),
      await accept("a@x.org", await invite()),
    ];
    expect(result(await accept("C@X.org", named))[0]).toBe(0);
    door.time.nowMs += INVITATION_LIFE_MS;
    refused.push(await accept("d@x.org", late));
    for (const made of ["x", "first", "0".repeat(64)]) refused.push(await accept("d@x.org", made));
    for (const { body } of refused)
      expect(body.data?.biz_data).toEqual({ code: 10, msg: "INVITATION_INVALID" });
  });

  test("stay good where the address has an account, or the form is refused", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    const invitation = await invite();
    expect(result(await accept("a@x.org", invitation))).toEqual([10, "INVITATION_INVALID"]);
    expect(result(await accept("no address", invitation))[0]).toBe(3);
    expect(result(await accept("b@x.org", invitation, "short"))[0]).toBe(4);
    expect(result(await accept("b@x.org", invitation))[0]).toBe(0);
  });

  test("where mail is set one for nobody in particular takes the address's code, others do without", async () => {
    const mail = { mailerKind: "smtp" } as const;
    door = await openFrontDoor(engine, { signUp: "closed" }, mail);
    expect(result(await accept("first@x.org", await first()))[0]).toBe(0);
    expect(result(await accept("named@x.org", await invite("named@x.org")))[0]).toBe(0);

    const open = await invite();
    expect(open).toMatch(/^open-[\w-]{43}$/u);
    expect(result(await accept("b@x.org", open))).toEqual([2, "EMAIL_CODE_INVALID"]);
    const byCode = (email: string, email_verification_code: string) =>
      door.register({ email, email_verification_code, password: PASSWORD, invitation: open });
    expect(result(await byCode("b@x.org", "123456"))).toEqual([7, "CODE_EXPIRED"]);
    expect(result(await door.askCode({ email: "b@x.org", invitation: "x" }))).toEqual([
      5,
      "REGISTRATION_CLOSED",
    ]);
    // Whose address has an account is told to who holds its code alone, which leaves the invitation good.
    for (const email of ["named@x.org", "b@x.org"]) {
      expect(result(await door.askCode({ email, invitation: open }))[0]).toBe(0);
      expect(result(await byCode(email, "000000"))[0]).toBe(8);
      expect(result(await byCode(email, door.mails.at(-1)?.code ?? ""))[0]).toBe(email === "b@x.org" ? 0 : 1);
    }
    expect(result(await byCode("c@x.org", "123456"))).toEqual([10, "INVITATION_INVALID"]);
  });

  test("five addresses a day are tried with one, and then not even the right one", async () => {
    door = await openFrontDoor(engine, { rateLimits: "off", signUp: "closed" });
    await accept("a@x.org", await first());
    const named = await invite("b@x.org");
    const open = await invite();
    for (let tries = 0; tries < 5; tries++) {
      expect(result(await accept(`guess${tries}@x.org`, named))[0]).toBe(10);
      expect(result(await accept("a@x.org", open))[0]).toBe(10);
    }
    expect(result(await accept("b@x.org", named))[0]).toBe(10);
    expect(result(await accept("c@x.org", open))[0]).toBe(10);
    door.time.nowMs += 24 * 3_600_000;
    expect(result(await accept("b@x.org", named))[0]).toBe(0);
    expect(result(await accept("c@x.org", open))[0]).toBe(0);
  });

  test("20 at once with one invitation: one account", async () => {
    door = await openFrontDoor(engine, { rateLimits: "off" });
    const invitation = await invite();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) => accept(`p${index}@x.org`, invitation)),
    );
    const codes = answers.map((said) => result(said)[0]);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 10)).toHaveLength(19);
    expect(await door.opened.db.kysely.selectFrom("users").selectAll().execute()).toHaveLength(1);
  });

  test("that of the first account is the same at every start, and ends with any account", async () => {
    door = await openFrontDoor(engine, { rateLimits: "off", signUp: "closed" });
    const [one, two] = await Promise.all([first(), first()]);
    expect(one).toMatch(/^[\w-]{43}$/u);
    expect(two).toBe(one);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, index) => accept(`p${index}@x.org`, one)),
    );
    expect(answers.filter((said) => result(said)[0] === 0)).toHaveLength(1);
    expect(await first()).toBeNull();
    expect(result(await accept("late@x.org", one))[0]).toBe(10);
  });

  test("that of the first account is no good any more where somebody signed up by themselves", async () => {
    door = await openFrontDoor(engine);
    const link = await first();
    await door.signUp("a@x.org");
    expect(result(await accept("b@x.org", link))[0]).toBe(10);
  });

  test("lie in the database as hashes; those for one address are forgotten with it", async () => {
    door = await openFrontDoor(engine);
    const made = [await first(), await invite("a@x.org"), await invite()];
    const rows = async () => door.opened.db.kysely.selectFrom("invitations").selectAll().execute();
    const stored = JSON.stringify(await rows());
    for (const invitation of made) expect(stored).not.toContain(invitation);
    expect(await rows()).toHaveLength(3);
    await deleteInvitationsOf(door.opened.db.kysely, "a@x.org");
    expect((await rows()).map(({ email }) => email)).toEqual([null, null]);
  });
});
