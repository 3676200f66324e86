// Every call the application serves, found from what is mounted: a route added tomorrow is in every matrix at once.
import * as accountSecurity from "@plumb/protocol/wire/account-security";
import * as accounts from "@plumb/protocol/wire/accounts";
import * as agents from "@plumb/protocol/wire/agents";
import * as characterList from "@plumb/protocol/wire/character-list";
import * as captcha from "@plumb/protocol/wire/captcha";
import * as clearance from "@plumb/protocol/wire/clearance";
import type { Call } from "@plumb/protocol/wire/call";
import * as exports from "@plumb/protocol/wire/exports";
import * as feedback from "@plumb/protocol/wire/feedback";
import * as files from "@plumb/protocol/wire/files";
import * as guard from "@plumb/protocol/wire/guard";
import * as history from "@plumb/protocol/wire/history";
import * as ownAccount from "@plumb/protocol/wire/own-account";
import * as imports from "@plumb/protocol/wire/imports";
import * as oauth from "@plumb/protocol/wire/oauth";
import * as replies from "@plumb/protocol/wire/replies";
import * as resetPassword from "@plumb/protocol/wire/reset-password";
import * as sessions from "@plumb/protocol/wire/sessions";
import * as sharing from "@plumb/protocol/wire/sharing";
import * as signIn from "@plumb/protocol/wire/sign-in";
import * as signUp from "@plumb/protocol/wire/sign-up";
import * as site from "@plumb/protocol/wire/site";
import * as turns from "@plumb/protocol/wire/turns";
import * as verificationCodes from "@plumb/protocol/wire/verification-codes";
import type { FastifyInstance } from "fastify";

const defined = [
  accounts,
  accountSecurity,
  agents,
  captcha,
  characterList,
  clearance,
  exports,
  feedback,
  files,
  guard,
  history,
  imports,
  ownAccount,
  oauth,
  replies,
  resetPassword,
  sessions,
  sharing,
  signIn,
  signUp,
  site,
  turns,
  verificationCodes,
].flatMap((module): unknown[] => Object.values(module));

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "path" in value && "answers" in value;
}

/** The calls below /api that are mounted. Throws when one is mounted that the protocol does not define. */
export function allCalls(fastify: FastifyInstance): Call[] {
  const calls = defined.filter(isCall);
  const below = mountedRoutes(fastify).filter(({ path }) => path.startsWith("/api/"));
  return below.map(({ method, path }) => {
    const call = calls.find((one) => one.method === method && one.path === path);
    if (call === undefined) throw new Error(`${method} ${path} is mounted but no call of the protocol`);
    return call;
  });
}

/** Every route, pages included, as the router has it. HEAD beside GET is no other one: it answers as that, without a body. */
export function mountedRoutes(fastify: FastifyInstance): { method: string; path: string }[] {
  const stack: string[] = [];
  return fastify
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const found = /^([│├└─\s]*)(\S.*?)(?: \(([A-Z, ]+)\))?$/u.exec(line);
      if (found === null) return [];
      const [, lead = "", part = "", methods] = found;
      const depth = Math.floor(lead.length / 4);
      stack.length = depth;
      stack[depth] = part;
      const path = stack.join("");
      if (methods === undefined) return [];
      const all = methods.split(", ");
      const own = all.includes("GET") ? all.filter((method) => method !== "HEAD") : all;
      return own.map((method) => ({ method, path }));
    });
}
