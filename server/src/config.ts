// The only reader of process.env: one frozen, typed object; all problems are told together.
import { parseEnv } from "node:util";
import type { CaptchaMode, CaptchaRegion } from "@plumb/protocol/rules/captcha-services";
import type { Links } from "@plumb/protocol/wire/site";
import { invalid, type NamedId, type PerLocale, type Setting } from "./platform/setting.ts";
import { StartError } from "./platform/start-error.ts";
import { FLAGS, settings, TESTS } from "./settings.ts";

export interface Config {
  host: string;
  port: number;
  publicUrl: string | null;
  trustedProxies: string[];
  dataDir: string;
  databaseUrl: string | null;
  /** Null: made once in dataDir. */
  secretKey: string | null;
  brandName: string;
  edition: "mainland" | "international";
  model: {
    baseUrl: string | null;
    apiKey: string | null;
    name: string | null;
    thinkingName: string | null;
    coderName: string | null;
    titleName: string | null;
    thinkingStyle: "auto" | "none" | "reasoning_effort" | "enable_thinking" | "thinking_type";
    contextTokens: number;
    stallMs: number;
    continuation: "auto" | "prefix" | "instruct";
    path: string | null;
    autodetect: boolean;
    /** What people may choose besides the default one; "*" = every model of the endpoint that writes text. */
    offered: NamedId[] | "*";
  };
  contentFilter: {
    kind: "none" | "words" | "moderation";
    wordsFile: string | null;
    url: string | null;
    apiKey: string | null;
    model: string | null;
    timeoutMs: number;
    /** What is done with a text that the endpoint gives no verdict on. */
    whenUnknown: "allow" | "block";
  };
  riskClassifier: "none" | "words";
  search: {
    provider: "none" | "searxng" | "brave" | "tavily" | "wikipedia";
    /** Where the provider is; null = its own address. Set where it is SearXNG. */
    url: string | null;
    /** Set where it is Brave or Tavily. */
    apiKey: string | null;
  };
  /** Who has no phone bound cannot write. */
  requireMobile: boolean;
  /** Tokens promised for a bound phone; 0 = none are spoken of. */
  freeTokensOffer: number;
  /** In years; null = no age gate. */
  minAge: number | null;
  captcha: {
    mode: CaptchaMode;
    siteKey: string | null;
    /** Set where the mode is a service of others. */
    secret: string | null;
    /** Shumei's names of the operator and of this site. */
    organization: string | null;
    appId: string | null;
    region: CaptchaRegion;
    /** Null: the service's own addresses. */
    scriptUrl: string | null;
    verifyUrl: string | null;
  };
  /** Who has to show a clearance, and what gives one; null = nobody. */
  challenge: { who: "suspects" | "all"; provider: Exclude<CaptchaMode, "none"> } | null;
  /** Null: nobody signs in with WeChat. */
  wechat: { appId: string; appSecret: string; baseUrl: string; loginUrl: string } | null;
  /** Null: nobody signs in with Google. */
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  /** Null: mail goes to the outbox. */
  smtp: { url: string; from: string } | null;
  /** The gateway for text messages; null: they go to the outbox. */
  smsWebhook: { url: string; secret: string } | null;
  /** Regions (ISO 3166-1 alpha-2) whose phones may sign up or in by a code; "*" = all. */
  phoneRegions: readonly string[] | "*";
  /** Whether e-mail signs up in the international edition who comes from the mainland; in the mainland's it never does. */
  mainlandEmailSignUp: boolean;
  signUp: "open" | "invitation" | "closed";
  /** The domains that may register, in lower case; empty = all. */
  emailDomains: readonly string[];
  thinkingQuotaPerDay: number;
  messagesPerMinute: number;
  concurrentReplies: number;
  maxMessagesPerSession: number;
  /** Off: pictures and scans stay without text. */
  ocr: "auto" | "off";
  /** Documents read at once. */
  parseWorkers: number;
  /** Of all that is stored per user; 0 = no limit. */
  storageQuotaMb: number;
  /** Of files kept per user; 0 = no limit. */
  fileQuotaMb: number;
  powDifficulty: { chat: number; upload: number; guest: number };
  /** Numbers of wire-contract.md §1.9 by their names, those that are overridden; or "off". */
  rateLimits: Record<string, number> | "off";
  unfinishedPerAddress: number;
  connectionsPerAddress: number;
  logFlushMs: number;
  leaseRenewMs: number;
  leaseTimeoutMs: number;
  replyRetentionMs: number;
  takeoverAttempts: number;
  drainMs: number;
  /** The flags of wire-contract.md §6.1, all of them. */
  flags: Record<keyof typeof FLAGS, boolean>;
  /** Its tests that an operator may set, by their names there. */
  abTests: Record<keyof typeof TESTS, boolean | number>;
  /** The object by which the Android app tells the page of its user. */
  nativeBridge: string | null;
  /** By the keys of client/settings. */
  links: Record<keyof Links, PerLocale>;
  appDownload: { ios: string | null; android: string | null; page: string | null };
  /** Null: no messenger. */
  support: { scriptUrl: string; appId: string } | null;
  analytics: { scriptUrl: string | null; errorReportUrl: string | null; spans: boolean; device: boolean };
  /** Other origins whose pages may call. */
  allowedOrigins: string[];
  /** Off: an address has the edition's region. */
  ipRegions: boolean;
  cookieBannerRegions: string[];
  /** Parts of user agents of programs that are warned of. */
  unsafeWrappers: string[];
  /** The scheme of an own desktop app. */
  desktopScheme: string | null;
  logLevel: string;
  metricsToken: string | null;
  production: boolean;
}

type Values = { [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never };
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting; a variable of `env` comes before the same one in the text of a `.env` file. Throws one
 * StartError that names every problem: the setting, what was given unless it is a secret, what is allowed.
 */
export function readConfig(env: Environment, { dotenvText = "" }: { dotenvText?: string } = {}): Config {
  const given: Environment = { ...parseEnv(dotenvText), ...definedOnly(env) };
  const problems: string[] = [];
  const read: Partial<Record<keyof Values, unknown>> = {};
  for (const [key, setting] of Object.entries(settings) as [keyof Values, Setting<unknown>][]) {
    const text = given[setting.name]?.trim();
    const value = setting.read(text);
    if (value === invalid)
      problems.push(`${setting.name} must be ${setting.allowed}${shown(setting, text)}.`);
    else read[key] = value;
  }
  if ((read.supportUrl === null) !== (read.supportAppId === null))
    problems.push("SUPPORT_URL and SUPPORT_APP_ID must be set together.");
  if (read.databaseUrl && read.secretKey === null) {
    problems.push("SECRET_KEY must be set when DATABASE_URL is: all replicas share it.");
  }
  if (read.contentFilter === "words" && read.contentFilterWords === null)
    problems.push("CONTENT_FILTER_WORDS must be set when CONTENT_FILTER is words.");
  if (read.contentFilter === "moderation" && read.moderationUrl === null)
    problems.push("MODERATION_URL must be set when CONTENT_FILTER is moderation.");
  if (read.searchProvider === "searxng" && read.searchUrl === null)
    problems.push("SEARCH_URL must be set when SEARCH_PROVIDER is searxng.");
  if ((read.searchProvider === "brave" || read.searchProvider === "tavily") && read.searchApiKey === null)
    problems.push(`SEARCH_API_KEY must be set when SEARCH_PROVIDER is ${read.searchProvider}.`);
  if (read.captcha === "turnstile" || read.captcha === "hcaptcha" || read.captcha === "shumei") {
    const key = read.captcha === "shumei" ? "CAPTCHA_ORGANIZATION" : "CAPTCHA_SITE_KEY";
    const given = read.captcha === "shumei" ? read.captchaOrganization : read.captchaSiteKey;
    if (given === null || read.captchaSecret === null)
      problems.push(`${key} and CAPTCHA_SECRET must be set when CAPTCHA is ${read.captcha}.`);
  }
  if ((read.wechatAppId === null) !== (read.wechatAppSecret === null))
    problems.push("WECHAT_APP_ID and WECHAT_APP_SECRET must be set both or neither.");
  if ((read.googleClientId === null) !== (read.googleClientSecret === null))
    problems.push("GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set both or neither.");
  if (read.smtpUrl && read.mailFrom === null)
    problems.push("MAIL_FROM must be set when SMTP_URL is: the address that mail comes from.");
  if (read.smsWebhookUrl && read.smsWebhookSecret === null)
    problems.push("SMS_WEBHOOK_SECRET must be set when SMS_WEBHOOK_URL is: the gateway knows us by it.");
  if (Number(read.leaseRenewMs) >= Number(read.leaseTimeoutMs)) {
    problems.push(
      `LEASE_RENEW_MS must be less than LEASE_TIMEOUT_MS, but they are ${String(read.leaseRenewMs)} and ${String(read.leaseTimeoutMs)}.`,
    );
  }
  const offered = read.models as Values["models"] | undefined;
  if (offered !== undefined && offered.length > 0 && read.modelBaseUrl === null && !mayFindEndpoint(read)) {
    problems.push("MODELS chooses between the models of an endpoint, and there is none: set MODEL_BASE_URL.");
  }
  if (problems.length > 0) throw new StartError(`The settings cannot be used:\n- ${problems.join("\n- ")}`);
  return build(read as Values, given["NODE_ENV"] === "production");
}

/** True where an endpoint on this machine is looked for. */
function mayFindEndpoint(read: { modelPath?: unknown; modelAutodetect?: unknown }): boolean {
  return read.modelPath === null && read.modelAutodetect === "on";
}

function build(value: Values, production: boolean): Config {
  const captchaMode = value.captcha ?? (value.edition === "mainland" ? "slide" : "none");
  const only = <K extends keyof Values["flags"]>(names: Record<K, unknown>) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, value.flags[name as K]])) as Pick<
      Values["flags"],
      K
    >;
  return deepFreeze({
    host: value.host,
    port: value.port,
    publicUrl: value.publicUrl,
    trustedProxies: value.trustedProxies,
    dataDir: value.dataDir,
    databaseUrl: value.databaseUrl,
    secretKey: value.secretKey,
    brandName: value.brandName,
    edition: value.edition,
    model: {
      baseUrl: value.modelBaseUrl,
      apiKey: value.modelApiKey,
      name: value.modelName,
      thinkingName: value.modelThinkingName,
      coderName: value.modelCoderName,
      titleName: value.modelTitleName,
      thinkingStyle: value.modelThinkingStyle,
      contextTokens: value.modelContextTokens,
      stallMs: value.modelStallMs,
      continuation: value.modelContinuation,
      path: value.modelPath,
      autodetect: value.modelAutodetect === "on",
      offered: value.models,
    },
    contentFilter: {
      kind: value.contentFilter,
      wordsFile: value.contentFilterWords,
      url: value.moderationUrl,
      apiKey: value.moderationApiKey,
      model: value.moderationModel,
      timeoutMs: value.moderationTimeoutMs,
      whenUnknown: value.moderationFailure,
    },
    riskClassifier: value.riskClassifier,
    search: { provider: value.searchProvider, url: value.searchUrl, apiKey: value.searchApiKey },
    requireMobile: value.requireMobile === "on",
    freeTokensOffer: value.freeTokensOffer,
    minAge: value.minAge,
    captcha: {
      mode: captchaMode,
      siteKey: value.captchaSiteKey,
      secret: value.captchaSecret,
      organization: value.captchaOrganization,
      appId: value.captchaAppId,
      region: value.captchaRegion,
      scriptUrl: value.captchaScriptUrl,
      verifyUrl: value.captchaVerifyUrl,
    },
    challenge:
      value.botChallenge === "off"
        ? null
        : { who: value.botChallenge, provider: captchaMode === "none" ? "slide" : captchaMode },
    wechat:
      value.wechatAppId === null || value.wechatAppSecret === null
        ? null
        : {
            appId: value.wechatAppId,
            appSecret: value.wechatAppSecret,
            baseUrl: value.wechatBaseUrl ?? "https://api.weixin.qq.com",
            loginUrl: value.wechatLoginUrl ?? "https://open.weixin.qq.com/connect/qrconnect",
          },
    google:
      value.googleClientId === null || value.googleClientSecret === null
        ? null
        : {
            clientId: value.googleClientId,
            clientSecret: value.googleClientSecret,
            issuer: value.googleIssuer,
          },
    smtp: bothOrNull(value.smtpUrl, value.mailFrom, (url, from) => ({ url, from })),
    smsWebhook: bothOrNull(value.smsWebhookUrl, value.smsWebhookSecret, (url, secret) => ({ url, secret })),
    phoneRegions: value.phoneRegions,
    mainlandEmailSignUp: value.mainlandEmailSignUp === "on",
    signUp: value.signUp,
    emailDomains: value.emailDomains,
    thinkingQuotaPerDay: value.thinkingQuotaPerDay,
    messagesPerMinute: value.messagesPerMinute,
    concurrentReplies: value.concurrentReplies,
    maxMessagesPerSession: value.maxMessagesPerSession,
    ocr: value.ocr,
    parseWorkers: value.parseWorkers,
    storageQuotaMb: value.storageQuotaMb,
    fileQuotaMb: value.fileQuotaMb,
    powDifficulty: {
      chat: value.powDifficulty,
      upload: value.powDifficultyUpload,
      guest: value.powDifficultyGuest,
    },
    rateLimits: value.rateLimits,
    unfinishedPerAddress: value.unfinishedPerAddress,
    connectionsPerAddress: value.connectionsPerAddress,
    logFlushMs: value.logFlushMs,
    leaseRenewMs: value.leaseRenewMs,
    leaseTimeoutMs: value.leaseTimeoutMs,
    replyRetentionMs: value.replyRetentionMs,
    takeoverAttempts: value.takeoverAttempts,
    drainMs: value.drainMs,
    flags: only(FLAGS),
    abTests: only(TESTS),
    links: {
      terms_of_use: value.termsUrl,
      privacy_policy: value.privacyUrl,
      open_platform: value.openPlatformUrl,
      open_platform_terms: value.openPlatformTermsUrl,
      third_party_sharing: value.thirdPartySharingUrl,
      account_deletion: value.accountDeletionUrl,
      app_permissions: value.appPermissionsUrl,
      faq: value.faqUrl,
      icp: value.icpUrl,
      icp_text: value.icpText,
      filing: value.filingText,
      wechat_qr: value.wechatQrUrl,
      contact_email: value.contactEmail,
    },
    appDownload: {
      ios: value.downloadIosUrl,
      android: value.downloadAndroidUrl,
      page: value.downloadPageUrl,
    },
    support:
      value.supportUrl === null || value.supportAppId === null
        ? null
        : { scriptUrl: value.supportUrl, appId: value.supportAppId },
    analytics: {
      scriptUrl: value.analyticsUrl,
      errorReportUrl: value.errorReportUrl,
      spans: value.spanReports === "on",
      device: value.deviceFingerprint === "on",
    },
    allowedOrigins: value.allowedOrigins,
    ipRegions: value.ipRegions === "builtin",
    cookieBannerRegions: value.cookieBannerRegions.filter((region) => region !== "none"),
    unsafeWrappers: value.unsafeWrappers,
    desktopScheme: value.desktopScheme,
    nativeBridge: value.nativeBridge,
    logLevel: value.logLevel,
    metricsToken: value.metricsToken,
    production,
  });
}

function bothOrNull<T>(
  one: string | null,
  other: string | null,
  make: (one: string, other: string) => T,
): T | null {
  return one === null || other === null ? null : make(one, other);
}

function shown(setting: Setting<unknown>, text: string | undefined): string {
  return setting.secret || text === undefined ? "" : `, but it is ${JSON.stringify(text)}`;
}

function definedOnly(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null) deepFreeze(child);
  }
  return Object.freeze(value);
}
