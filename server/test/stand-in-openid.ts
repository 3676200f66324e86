// An OpenID Connect provider on loopback that signs real tokens, and lies where a test says so.
import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenIdConnect } from "../src/adapters/identity-provider/openid-connect.ts";
import { createLogger } from "../src/platform/logger.ts";
import { systemClock } from "../src/ports/clock.ts";

const CLIENT_ID = "plumb-client";
const CLIENT_SECRET = "plumb-secret";

/** What differs from an honest answer. */
export interface Lie {
  claims?: Record<string, unknown>;
  /** Claims that are left out. */
  without?: readonly string[];
  alg?: "RS256" | "none" | "HS256";
  /** Signed with a key that is not published. */
  foreignKey?: boolean;
  /** The token endpoint answers with this instead. */
  status?: number;
  body?: unknown;
}

export interface Granted {
  redirectUri: string;
  nonce: string;
  challenge: string;
  person: Record<string, unknown>;
  lie: Lie;
}

type Person = Record<string, unknown> & { sub: string };

export type StandInOpenId = Awaited<ReturnType<typeof openStandInOpenId>>;

/** `iss`: it says who it is in its redirects, as RFC 9207 wants. */
export async function openStandInOpenId({ iss = false }: { iss?: boolean } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const granted = new Map<string, Granted>();
  /** `visitor`: who says yes by themselves when a browser comes. */
  const state = { down: false, tokenCalls: 0, visitor: null as Person | null };

  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (state.down) return void request.socket.destroy();
    const path = request.url?.split("?")[0];
    if (path === "/.well-known/openid-configuration") return answer(200, metadata());
    if (path === "/jwks")
      return answer(200, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256" }] });
    if (path === "/authorize" && state.visitor !== null) {
      const back = accept(issuer + (request.url ?? ""), state.visitor);
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (path !== "/token") return answer(404, {});
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      state.tokenCalls += 1;
      const [status, said] = token(new URLSearchParams(body), request.headers.authorization ?? "");
      answer(status, said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: iss,
  });

  function token(form: URLSearchParams, authorization: string): [number, unknown] {
    const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString("base64")}`;
    const posted = form.get("client_id") === CLIENT_ID && form.get("client_secret") === CLIENT_SECRET;
    if (authorization !== basic && !posted) return [401, { error: "invalid_client" }];
    const code = form.get("code") ?? "";
    const grant = granted.get(code);
    granted.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      grant === undefined ||
      form.get("grant_type") !== "authorization_code" ||
      form.get("redirect_uri") !== grant.redirectUri ||
      challenge !== grant.challenge
    )
      return [400, { error: "invalid_grant" }];
    const { lie } = grant;
    if (lie.status !== undefined) return [lie.status, lie.body ?? {}];
    return [200, { access_token: "opaque", token_type: "Bearer", expires_in: 60, id_token: idToken(grant) }];
  }

  function idToken({ nonce, person, lie }: Granted): string {
    const now = Math.floor(Date.now() / 1000);
    const claims: Record<string, unknown> = {
      iss: issuer,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 300,
      nonce,
      ...person,
      ...lie.claims,
    };
    for (const name of lie.without ?? []) delete claims[name];
    const alg = lie.alg ?? "RS256";
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg, kid: "1", typ: "JWT" })}.${part(claims)}`;
    if (alg === "none") return `${signed}.`;
    if (alg === "HS256")
      return `${signed}.${createHash("sha256")
        .update(CLIENT_SECRET + signed)
        .digest("base64url")}`;
    const key = lie.foreignKey === true ? foreign.privateKey : privateKey;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key).toString("base64url")}`;
  }

  /**
   * Somebody who was sent to `location` says yes. Gives back where the browser goes then; throws when the request is not
   * one that a provider answers.
   */
  function accept(location: string, person: Person, lie: Lie = {}): URL {
    const asked = new URL(location);
    const query = asked.searchParams;
    const required = { response_type: "code", code_challenge_method: "S256", client_id: CLIENT_ID };
    for (const [name, value] of Object.entries(required)) {
      if (query.get(name) !== value) throw new Error(`${name} is ${String(query.get(name))}`);
    }
    if (asked.origin !== issuer || !(query.get("scope") ?? "").split(" ").includes("openid"))
      throw new Error(`not asked for an identity: ${location}`);
    const [redirectUri, nonce, challenge] = ["redirect_uri", "nonce", "code_challenge"].map((name) => {
      const value = query.get(name);
      if (value === null) throw new Error(`no ${name}`);
      return value;
    }) as [string, string, string];
    const code = randomBytes(16).toString("base64url");
    granted.set(code, { redirectUri, nonce, challenge, person, lie });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    if (iss) back.searchParams.set("iss", issuer);
    return back;
  }

  return {
    issuer,
    /** Calls of the token endpoint so far, whether connections are cut, and who sits at the browser. */
    state,
    settings: { GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_CLIENT_SECRET: CLIENT_SECRET, GOOGLE_ISSUER: issuer },
    /** The port over it, as the settings would build it. */
    port: createOpenIdConnect({
      issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      log: createLogger("silent"),
      clock: systemClock,
    }),
    accept,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
