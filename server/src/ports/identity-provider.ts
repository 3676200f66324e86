// Who proves to us who somebody is: an OpenID Connect provider such as Google, and WeChat.

/** Why an answer proves nothing. */
export type IdentityRefusal =
  /** The code is wrong, used or expired: the person may try again. */
  | "code"
  /** What came back is not to be trusted, or nothing came back. */
  | "answer";

export class IdentityRefused extends Error {
  readonly reason: IdentityRefusal;
  constructor(reason: IdentityRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "IdentityRefused";
    this.reason = reason;
  }
}

/** What only this sign-in knows: all three are made new for it and kept until its answer. */
export interface OpenIdSecrets {
  state: string;
  nonce: string;
  /** Of PKCE. */
  codeVerifier: string;
}

/** A person, as an ID token says whose signature, issuer, audience, time and nonce were checked. */
export interface OpenIdPerson {
  issuer: string;
  /** Names the person at this issuer, for ever. */
  subject: string;
  email: string | null;
  /** The provider says that the address is this person's. Without it the address proves nothing. */
  emailVerified: boolean;
  name: string;
  picture: string | null;
  locale: string | null;
}

export interface OpenIdProvider {
  newSecrets(): OpenIdSecrets;
  /** Where the browser goes. Throws IdentityRefused when the provider cannot be reached. */
  authorizationUrl(secrets: OpenIdSecrets, redirectUri: string): Promise<string>;
  /** Who came back to `redirectUri` with these parameters. Throws IdentityRefused. */
  identify(
    secrets: OpenIdSecrets,
    redirectUri: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<OpenIdPerson>;
}

/** A person of WeChat: by `unionId` in all apps of one operator, by `openId` in this one. */
export interface WechatGrant {
  openId: string;
  unionId: string | null;
  /** Good for two hours at most, for `profile` alone. */
  accessToken: string;
}

export interface WechatProfile {
  openId: string;
  name: string;
  picture: string | null;
}

export interface WechatLogin {
  readonly appId: string;
  /** The page with the QR code. */
  qrUrl(request: { redirectUri: string; state: string }): string;
  /** Throws IdentityRefused. */
  exchange(code: string): Promise<WechatGrant>;
  /** Throws IdentityRefused. */
  profile(grant: Pick<WechatGrant, "accessToken" | "openId">): Promise<WechatProfile>;
}
