import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { settings } from "./settings.ts";

const problemsOf = (env: Record<string, string>, dotenvText?: string): string => {
  try {
    readConfig(env, dotenvText === undefined ? {} : { dotenvText });
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("the settings", () => {
  test("have the operator's contract as defaults", () => {
    expect(readConfig({})).toStrictEqual({
      host: "127.0.0.1",
      port: 3000,
      publicUrl: null,
      trustedProxies: [],
      dataDir: "./data",
      databaseUrl: null,
      secretKey: null,
      brandName: "Plumb",
      edition: "international",
      model: {
        baseUrl: null,
        apiKey: null,
        name: null,
        thinkingName: null,
        coderName: null,
        titleName: null,
        thinkingStyle: "auto",
        contextTokens: 61440,
        stallMs: 60000,
        continuation: "auto",
        path: null,
        autodetect: true,
        offered: [],
      },
      contentFilter: {
        kind: "none",
        wordsFile: null,
        url: null,
        apiKey: null,
        model: null,
        timeoutMs: 3000,
        whenUnknown: "allow",
      },
      riskClassifier: "none",
      search: { provider: "none", url: null, apiKey: null },
      captcha: {
        mode: "none",
        siteKey: null,
        secret: null,
        organization: null,
        appId: null,
        region: "CN",
        scriptUrl: null,
        verifyUrl: null,
      },
      challenge: null,
      wechat: null,
      google: null,
      smtp: null,
      smsWebhook: null,
      phoneRegions: ["CN"],
      mainlandEmailSignUp: true,
      signUp: "open",
      emailDomains: [],
      thinkingQuotaPerDay: 50,
      storageQuotaMb: 10_240,
      messagesPerMinute: 20,
      concurrentReplies: 2,
      maxMessagesPerSession: 1000,
      ocr: "auto",
      fileQuotaMb: 0,
      parseWorkers: 1,
      powDifficulty: { chat: 50000, upload: 50000, guest: 50000 },
      rateLimits: {},
      unfinishedPerAddress: 200,
      connectionsPerAddress: 1000,
      logFlushMs: 20,
      leaseRenewMs: 1000,
      leaseTimeoutMs: 3000,
      replyRetentionMs: 600000,
      takeoverAttempts: 3,
      drainMs: 2000,
      flags: {
        enableHcaptcha: false,
        enableEventsDisplay: false,
        enableAvatarWhenCollapse: false,
        enableLessMaxChunkInterval: false,
        enableShare: true,
        forceGoogleSignIn: false,
        guestWelcome: false,
        adBlockCheck: false,
        preventF12: true,
      },
      abTests: {
        share_by_link: true,
        show_new_chat_button_above_input: true,
        human_check: false,
        auto_resume_timeout_ms: 2000,
      },
      nativeBridge: null,
      requireMobile: false,
      minAge: null,
      freeTokensOffer: 0,
      links: Object.fromEntries(
        (
          "terms_of_use privacy_policy open_platform open_platform_terms third_party_sharing account_deletion " +
          "app_permissions faq icp icp_text filing wechat_qr contact_email"
        )
          .split(" ")
          .map((key) => [key, {}]),
      ),
      appDownload: { ios: null, android: null, page: null },
      support: null,
      analytics: { scriptUrl: null, errorReportUrl: null, spans: false, device: false },
      allowedOrigins: [],
      ipRegions: true,
      cookieBannerRegions:
        "GB US AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
      unsafeWrappers: [],
      desktopScheme: null,
      logLevel: "info",
      metricsToken: null,
      production: false,
    });
  });

  test("their defaults as written in .env.example give the same configuration", () => {
    const written = Object.values(settings).map(({ name, fallback }) => [name, fallback] as const);
    const filled = Object.fromEntries(written.filter(([, fallback]) => fallback !== ""));
    expect(readConfig(filled)).toStrictEqual(readConfig({}));
  });

  test("the result cannot be changed", () => {
    const config = readConfig({});
    expect(
      Object.isFrozen(config) && Object.isFrozen(config.model) && Object.isFrozen(config.trustedProxies),
    ).toBe(true);
  });

  test("a variable comes before the same one in .env, and quotes and comments of .env are understood", () => {
    const config = readConfig({ PORT: "1" }, { dotenvText: 'PORT=2\n# no\nBRAND_NAME="A B" # the name\n' });
    expect([config.port, config.brandName]).toEqual([1, "A B"]);
  });

  test("an empty value is as good as none, except for links, which it hides", () => {
    const config = readConfig({
      PORT: "",
      MODEL_NAME: " ",
      TERMS_URL: "",
      CONTACT_EMAIL: "help@example.org",
    });
    expect([config.port, config.model.name]).toEqual([3000, null]);
    const everywhere = (value: string | null) => ({ zh_CN: value, en_US: value });
    expect(config.links).toMatchObject({
      terms_of_use: everywhere(null),
      contact_email: everywhere("help@example.org"),
      privacy_policy: {},
    });
  });

  test("a link may differ by language, and be hidden or built in in one", () => {
    const { links } = readConfig({
      FAQ_URL: "zh_CN=https://x.cn/faq?a=b | en_US=https://x.org/faq",
      ICP_TEXT: "zh_CN=京ICP备1号",
      TERMS_URL: "en_US=",
    });
    expect(links.faq).toEqual({ zh_CN: "https://x.cn/faq?a=b", en_US: "https://x.org/faq" });
    expect(links.icp_text).toEqual({ zh_CN: "京ICP备1号" });
    expect(links.terms_of_use).toEqual({ en_US: null });
  });

  test("lists: origins, regions or none of them, programs that are warned of", () => {
    const config = readConfig({
      ALLOWED_ORIGINS: "https://a.example, http://localhost:5173",
      COOKIE_BANNER_REGIONS: "none",
      UNSAFE_WRAPPERS: "BadWrap/, Other",
    });
    expect(config.allowedOrigins).toEqual(["https://a.example", "http://localhost:5173"]);
    expect(config.cookieBannerRegions).toEqual([]);
    expect(config.unsafeWrappers).toEqual(["BadWrap/", "Other"]);
  });

  test.each(["0.0.0.0", "::", "::1", "fe80::1%eth0", "localhost", "my-server.example.org", "1and1.example"])(
    "takes %s as HOST",
    (host) => {
      expect(readConfig({ HOST: host }).host).toBe(host);
    },
  );

  test.each([
    [{ PUBLIC_URL: "https://chat.example.org/" }, { publicUrl: "https://chat.example.org" }],
    [{ TRUSTED_PROXIES: "10.0.0.0/8, ::1" }, { trustedProxies: ["10.0.0.0/8", "::1"] }],
    [{ RATE_LIMITS: "off" }, { rateLimits: "off" }],
    [
      { RATE_LIMITS: "guest_ip_minute=5, code_ip_hour = 7" },
      { rateLimits: { guest_ip_minute: 5, code_ip_hour: 7 } },
    ],
    [
      { FLAGS: "enableShare=false, enableLessMaxChunkInterval = true,auto_resume_timeout_ms=500" },
      {
        flags: { ...readConfig({}).flags, enableShare: false, enableLessMaxChunkInterval: true },
        abTests: { ...readConfig({}).abTests, auto_resume_timeout_ms: 500 },
      },
    ],
    [{ THINKING_QUOTA_PER_DAY: "0" }, { thinkingQuotaPerDay: 0 }],
    [{ NATIVE_BRIDGE: "PlumbApp" }, { nativeBridge: "PlumbApp" }],
    [{ NODE_ENV: "production" }, { production: true }],
    [
      { SMTP_URL: "smtps://u:p@mail.example.org:465", MAIL_FROM: "Plumb <plumb@example.org>" },
      { smtp: { url: "smtps://u:p@mail.example.org:465", from: "Plumb <plumb@example.org>" } },
    ],
    [
      { SMS_WEBHOOK_URL: "https://sms.example.org/send", SMS_WEBHOOK_SECRET: "s".repeat(16) },
      { smsWebhook: { url: "https://sms.example.org/send", secret: "s".repeat(16) } },
    ],
    [{ PHONE_REGIONS: "cn, HK" }, { phoneRegions: ["CN", "HK"] }],
    [{ PHONE_REGIONS: "*" }, { phoneRegions: "*" }],
    [{ SIGN_UP: "invitation" }, { signUp: "invitation" }],
    [{ EMAIL_DOMAINS: "Example.com, example.org" }, { emailDomains: ["example.com", "example.org"] }],
    [{ MODEL_AUTODETECT: "off" }, { model: { ...readConfig({}).model, autodetect: false } }],
    [
      { DATABASE_URL: "postgres://u:p@db/plumb", SECRET_KEY: "s".repeat(32) },
      { databaseUrl: "postgres://u:p@db/plumb", secretKey: "s".repeat(32) },
    ],
  ])("reads %o", (env, expected) => {
    expect(readConfig(env as unknown as Record<string, string>)).toMatchObject(expected);
  });

  test("reads which models people may choose between", () => {
    const offered = (MODELS: string) => readConfig({ MODELS }).model.offered;
    expect(offered("*")).toBe("*");
    expect(offered(" qwen3:8b = Qwen 3 , vendor/gpt=GPT = good")).toEqual([
      { id: "qwen3:8b", name: "Qwen 3" },
      { id: "vendor/gpt", name: "GPT = good" },
    ]);
    const noEndpoint =
      /MODELS chooses between the models of an endpoint, and there is none: set MODEL_BASE_URL/;
    expect(problemsOf({ MODELS: "*", MODEL_PATH: "/a.gguf" })).toMatch(noEndpoint);
    expect(problemsOf({ MODELS: "a=A", MODEL_AUTODETECT: "off" })).toMatch(noEndpoint);
    const base = { MODEL_BASE_URL: "http://127.0.0.1:1/v1", MODEL_PATH: "/a.gguf" };
    expect(readConfig({ ...base, MODELS: "*" }).model.offered).toBe("*");
  });

  test.each([
    ["MODELS", "qwen3"],
    ["MODELS", "=Qwen"],
    ["MODELS", "qwen3="],
    ["MODELS", "qwen3=Qwen,"],
    ["MODELS", "qwen3=Qwen, big"],
    ["MODELS", "a=A,a=B"],
    ["MODELS", "default=Mine"],
    ["MODELS", "a=A,*"],
    ["MODELS", `a=${"x".repeat(61)}`],
    ["PORT", "65536"],
    ["PORT", "3e3"],
    ["PORT", "-1"],
    ["HOST", "not a host"],
    ["HOST", "http://127.0.0.1"],
    ["HOST", "127.0.0.1:3000"],
    ["HOST", "256.0.0.1"],
    ["HOST", "[::1]"],
    ["HOST", "-a.example"],
    ["PUBLIC_URL", "chat.example.org"],
    ["PUBLIC_URL", "javascript:alert(1)"],
    // The page stands at the root of its host: below a path nothing of it would be found.
    ["PUBLIC_URL", "https://example.org/chat"],
    ["PUBLIC_URL", "https://example.org/?chat"],
    ["PUBLIC_URL", "https://me@example.org"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "proxy"],
    ["EDITION", "Mainland"],
    ["MODEL_BASE_URL", "localhost:11434"],
    ["MODEL_THINKING_STYLE", "hard"],
    ["MODEL_AUTODETECT", "yes"],
    ["POW_DIFFICULTY", "0"],
    ["POW_DIFFICULTY_GUEST", "10000001"],
    ["RATE_LIMITS", "on"],
    ["RATE_LIMITS", "gust_ip_minute=5"],
    ["RATE_LIMITS", "guest_ip_minute=many"],
    ["CONTENT_FILTER", "list"],
    ["MODERATION_URL", "moderation.example"],
    ["MODERATION_FAILURE", "open"],
    ["FLAGS", "enableSharing=true"],
    ["FLAGS", "enableShare=1"],
    ["FLAGS", "auto_resume_timeout_ms=true"],
    ["FLAGS", "enableShare"],
    ["DRAIN_MS", "9000"],
    ["CONTACT_EMAIL", "nobody"],
    ["TERMS_URL", "/terms"],
    ["FAQ_URL", "zh_CN=https://x.cn|fr_FR=https://x.fr"],
    ["FAQ_URL", "zh_CN=https://x.cn|zh_CN=https://y.cn"],
    ["ICP_TEXT", "two\nlines"],
    ["ALLOWED_ORIGINS", "https://a.example/path"],
    ["ALLOWED_ORIGINS", "*"],
    ["COOKIE_BANNER_REGIONS", "Europe"],
    ["IP_REGIONS", "on"],
    ["DESKTOP_SCHEME", "plumb://"],
    ["DESKTOP_SCHEME", "plumb_app"],
    ["DESKTOP_SCHEME", "https"],
    ["DESKTOP_SCHEME", "JavaScript"],
    ["NATIVE_BRIDGE", "window.app"],
    ["NATIVE_BRIDGE", "7up"],
    ["LOG_LEVEL", "loud"],
    ["MAIL_FROM", "plumb"],
    ["MAIL_FROM", "Plumb <plumb>"],
    ["MAIL_FROM", "a@b.cd, c@d.ef"],
    ["PHONE_REGIONS", "CHN"],
    ["PHONE_REGIONS", "CN,*"],
    ["SIGN_UP", "no"],
    ["EMAIL_DOMAINS", "@example.com"],
    ["EMAIL_DOMAINS", "example"],
  ])("refuses %s=%s, naming it, what was given and what is allowed", (name, value) => {
    const message = problemsOf({ [name]: value });
    const allowed = Object.values(settings).find((setting) => setting.name === name)?.allowed ?? "?";
    expect(message).toContain(`${name} must be ${allowed}, but it is ${JSON.stringify(value)}`);
  });

  test("all problems are told together, secrets never", () => {
    const message = problemsOf({
      PORT: "x",
      EDITION: "y",
      DATABASE_URL: "mysql://root:hunter2@db",
      SECRET_KEY: "short",
    });
    for (const name of ["PORT", "EDITION", "DATABASE_URL", "SECRET_KEY"])
      expect(message).toContain(`${name} must be`);
    expect(message).not.toMatch(/hunter2|short,/u);
  });

  test("replicas need a common secret, and a lease must be renewed before it lapses", () => {
    expect(problemsOf({ DATABASE_URL: "postgres://db/plumb" })).toContain("SECRET_KEY must be set");
    expect(problemsOf({ CONTENT_FILTER: "words" })).toContain("CONTENT_FILTER_WORDS must be set");
    expect(problemsOf({ CONTENT_FILTER: "moderation" })).toContain("MODERATION_URL must be set");
    expect(problemsOf({ SUPPORT_APP_ID: "a1" })).toContain("must be set together");
    expect(problemsOf({ SEARCH_PROVIDER: "searxng" })).toContain("SEARCH_URL must be set");
    for (const provider of ["brave", "tavily"])
      expect(problemsOf({ SEARCH_PROVIDER: provider })).toContain("SEARCH_API_KEY must be set");
    for (const CAPTCHA of ["turnstile", "hcaptcha", "shumei"])
      expect(problemsOf({ CAPTCHA })).toContain(`CAPTCHA_SECRET must be set when CAPTCHA is ${CAPTCHA}`);
    for (const half of [{ WECHAT_APP_ID: "x" }, { WECHAT_APP_SECRET: "x" }])
      expect(problemsOf(half)).toContain("WECHAT_APP_ID and WECHAT_APP_SECRET must be set both");
    for (const half of [{ GOOGLE_CLIENT_ID: "x" }, { GOOGLE_CLIENT_SECRET: "x" }])
      expect(problemsOf(half)).toContain("GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set both");
    expect(problemsOf({ SMTP_URL: "smtp://localhost" })).toContain("MAIL_FROM must be set");
    expect(problemsOf({ SMS_WEBHOOK_URL: "http://localhost" })).toContain("SMS_WEBHOOK_SECRET must be set");
    expect(problemsOf({ SMS_WEBHOOK_URL: "http://localhost", SMS_WEBHOOK_SECRET: "short" })).not.toMatch(
      /short"/u,
    );
    expect(problemsOf({ LEASE_RENEW_MS: "600", LEASE_TIMEOUT_MS: "600" })).toContain(
      "LEASE_RENEW_MS must be less",
    );
  });

  test("the mainland edition has the own slide puzzle unless told otherwise", () => {
    const modeOf = (env: Record<string, string>) => readConfig(env).captcha.mode;
    expect(modeOf({ EDITION: "mainland" })).toBe("slide");
    expect(modeOf({ EDITION: "mainland", CAPTCHA: "none" })).toBe("none");
    expect(modeOf({ CAPTCHA: "slide" })).toBe("slide");
  });

  test(".env.example lists every setting with its default", async () => {
    const lines = Object.values(settings).map(
      ({ name, fallback, about }) => `# ${about}\n#${name}=${fallback}\n`,
    );
    const head =
      "# Copy to .env and uncomment what you change. Every setting stands here with its default.\n" +
      '# Beside them the server looks at NODE_ENV: with `production` announcements for "production" are shown in place of those for "staging",\n' +
      '# the start warns where nothing sends mail, and the state of a WeChat sign-in has no "beta." before it.\n\n';
    await expect(head + lines.join("\n")).toMatchFileSnapshot("../../.env.example");
  });
});
