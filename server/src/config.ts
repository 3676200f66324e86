// The only reader of process.env: one frozen, typed object; all problems are told together.
import { parseEnv } from "node:util";
import { LIMITS } from "@plumb/protocol/limits";
import {
  addressList,
  choice,
  host,
  identifier,
  integer,
  invalid,
  limits,
  link,
  type NamedId,
  namedIds,
  optionalText,
  optionalUrl,
  overrides,
  requiredText,
  type Setting,
} from "./platform/setting.ts";
import { StartError } from "./platform/start-error.ts";

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
  thinkingQuotaPerDay: number;
  messagesPerMinute: number;
  concurrentReplies: number;
  maxMessagesPerSession: number;
  /** Off: pictures and scans stay without text. */
  ocr: "auto" | "off";
  /** Documents read at once. */
  parseWorkers: number;
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
  /** Keys as in client/settings (contact_email, terms_of_use, privacy_policy); absent = built in, null = hidden. */
  links: Record<string, string | null>;
  logLevel: string;
  metricsToken: string | null;
  production: boolean;
}

const days = 24 * 60 * 60 * 1000;
const web = ["http", "https"] as const;

/** Flags and tests of wire-contract.md §6.1 with their defaults. */
const FLAGS = {
  enableHcaptcha: false,
  enableEventsDisplay: false,
  enableAvatarWhenCollapse: false,
  enableLessMaxChunkInterval: false,
  enableShare: true,
  forceGoogleSignIn: false,
  guestWelcome: false,
  adBlockCheck: false,
  preventF12: true,
};
const TESTS = {
  share_by_link: true,
  show_new_chat_button_above_input: true,
  human_check: false,
  auto_resume_timeout_ms: LIMITS.resumeReadyMs,
};

/** Every setting, in the order of .env.example. */
export const settings = {
  port: integer("PORT", 3000, 0, 65_535, { about: "Where to listen; 0 takes a free port." }),
  host: host("HOST", "127.0.0.1", {
    about: "The address to listen on; 0.0.0.0 lets other devices of your network in.",
  }),
  publicUrl: optionalUrl("PUBLIC_URL", web, { about: "The address people use; unset: http://HOST:PORT." }),
  trustedProxies: addressList("TRUSTED_PROXIES", {
    about: "Addresses of proxies whose forwarding headers are believed, separated by commas.",
  }),
  dataDir: requiredText("DATA_DIR", "./data", {
    about: "The folder of everything the embedded defaults keep.",
  }),
  databaseUrl: optionalUrl("DATABASE_URL", ["postgres", "postgresql"], {
    about: "A PostgreSQL address makes this process one of many replicas; unset: SQLite in DATA_DIR.",
    secret: true,
  }),
  secretKey: optionalText(
    "SECRET_KEY",
    {
      about: "Signs links and puzzles; required with DATABASE_URL, else made once in DATA_DIR.",
      secret: true,
    },
    8,
  ),
  brandName: requiredText("BRAND_NAME", "Plumb", { about: "The name shown to people." }),
  edition: choice("EDITION", ["mainland", "international"], "international", {
    about: "mainland or international.",
  }),
  modelBaseUrl: optionalUrl("MODEL_BASE_URL", web, {
    about:
      "An OpenAI-compatible endpoint (…/v1); unset: MODEL_PATH, else one found on localhost, else the demo model.",
  }),
  modelApiKey: optionalText("MODEL_API_KEY", { about: "The endpoint's key.", secret: true }),
  modelName: optionalText("MODEL_NAME", { about: "The model; unset: the endpoint's first that can chat." }),
  modelThinkingName: optionalText("MODEL_THINKING_NAME", { about: "Another model for deep thinking." }),
  modelCoderName: optionalText("MODEL_CODER_NAME", { about: "Another model for the coder agent." }),
  modelTitleName: optionalText("MODEL_TITLE_NAME", { about: "Another model for titles." }),
  modelThinkingStyle: choice(
    "MODEL_THINKING_STYLE",
    ["auto", "none", "reasoning_effort", "enable_thinking", "thinking_type"],
    "auto",
    { about: "How thinking is asked for: auto, none, reasoning_effort, enable_thinking or thinking_type." },
  ),
  modelContextTokens: integer("MODEL_CONTEXT_TOKENS", 61_440, 256, 100_000_000, {
    about: "The model's context window in tokens.",
  }),
  modelStallMs: integer("MODEL_STALL_MS", 60_000, 1, days, {
    about: "Silence of the model that counts as a stall, in milliseconds.",
  }),
  modelContinuation: choice("MODEL_CONTINUATION", ["auto", "prefix", "instruct"], "auto", {
    about: "How a partial reply is continued: auto, prefix or instruct.",
  }),
  modelPath: optionalText("MODEL_PATH", { about: "A GGUF file to run inside the process." }),
  modelAutodetect: choice("MODEL_AUTODETECT", ["on", "off"], "on", {
    about: "off: no model is looked for on localhost.",
  }),
  models: namedIds(
    "MODELS",
    { most: 100, taken: ["default"] },
    {
      about:
        "The models people may choose between: id=Shown name separated by commas, or * for all of the endpoint.",
    },
  ),
  contentFilter: choice("CONTENT_FILTER", ["none", "words", "moderation"], "none", {
    about: "What prompts and replies are looked at with: none, words or moderation.",
  }),
  contentFilterWords: optionalText("CONTENT_FILTER_WORDS", {
    about:
      "A file with a word on each line, for CONTENT_FILTER=words; *word* is found inside of longer words too.",
  }),
  moderationUrl: optionalUrl("MODERATION_URL", web, {
    about: "An OpenAI-compatible moderation endpoint (…/v1), for CONTENT_FILTER=moderation.",
  }),
  moderationApiKey: optionalText("MODERATION_API_KEY", { about: "Its key.", secret: true }),
  moderationModel: optionalText("MODERATION_MODEL", { about: "Its model; unset: the endpoint's own." }),
  moderationTimeoutMs: integer("MODERATION_TIMEOUT_MS", 3000, 50, 60_000, {
    about: "How long one verdict is waited for, in milliseconds.",
  }),
  moderationFailure: choice("MODERATION_FAILURE", ["allow", "block"], "allow", {
    about: "What is done with a text that gets no verdict: allow or block.",
  }),
  riskClassifier: choice("RISK_CLASSIFIER", ["none", "words"], "none", {
    about: "words: a tip stands under answers about money, law or health, and under coarse ones.",
  }),
  searchProvider: choice("SEARCH_PROVIDER", ["none", "searxng", "brave", "tavily", "wikipedia"], "none", {
    about:
      "Who looks things up in the web: none, searxng, brave, tavily or wikipedia; none: no search is offered.",
  }),
  searchUrl: optionalUrl("SEARCH_URL", web, {
    about: "Where the provider is, for searxng; for the others only to ask another address than their own.",
  }),
  searchApiKey: optionalText("SEARCH_API_KEY", {
    about: "The provider's key, for brave and tavily.",
    secret: true,
  }),
  thinkingQuotaPerDay: integer("THINKING_QUOTA_PER_DAY", 50, 0, 1_000_000, {
    about: "Deep-thinking messages per user and Beijing day; 0: no limit.",
  }),
  messagesPerMinute: integer("MESSAGES_PER_MINUTE", 20, 1, 1_000_000, {
    about: "Messages per user and minute.",
  }),
  concurrentReplies: integer("CONCURRENT_REPLIES", 2, 1, 1_000_000, {
    about: "Replies running at once per user.",
  }),
  maxMessagesPerSession: integer("MAX_MESSAGES_PER_SESSION", 1000, 2, 1_000_000, {
    about: "Messages that one session can hold.",
  }),
  ocr: choice("OCR", ["auto", "off"], "auto", {
    about: "off: text in pictures and scans is not read, and what reads it is not installed.",
  }),
  parseWorkers: integer("PARSE_WORKERS", 1, 1, 64, {
    about: "Uploaded documents that are read at once, each in a process of its own.",
  }),
  fileQuotaMb: integer("FILE_QUOTA_MB", 0, 0, 100_000_000, {
    about: "Megabytes of files that are kept per user; 0: no limit.",
  }),
  powDifficulty: integer("POW_DIFFICULTY", 50_000, 1, 10_000_000, {
    about: "Upper bound of the hidden answer in puzzles before a message.",
  }),
  powDifficultyUpload: integer("POW_DIFFICULTY_UPLOAD", 50_000, 1, 10_000_000, {
    about: "The same before an upload.",
  }),
  powDifficultyGuest: integer("POW_DIFFICULTY_GUEST", 50_000, 1, 10_000_000, {
    about: "The same for guests.",
  }),
  rateLimits: limits(
    "RATE_LIMITS",
    [
      "code_target_day",
      "code_ip_hour",
      "guest_ip_minute",
      "login_ip_minute",
      "public_ip_minute",
      "share_content_ip_minute",
      "any_ip_minute",
      "unknown_token_ip_minute",
      "api_user_minute",
      "repeat_user_minute",
      "upload_user_hour",
      "share_user_hour",
    ],
    {
      about:
        "Other limits than the built-in ones: name=number separated by commas; off switches them off, for tests.",
    },
  ),
  unfinishedPerAddress: integer("UNFINISHED_REQUESTS_PER_ADDRESS", 200, 1, 1_000_000, {
    about:
      "Requests that one address may keep half-sent at once; proxies of TRUSTED_PROXIES are not counted.",
  }),
  connectionsPerAddress: integer("CONNECTIONS_PER_ADDRESS", 1000, 1, 1_000_000, {
    about: "Connections that one address may keep open at once; those of TRUSTED_PROXIES are not counted.",
  }),
  logFlushMs: integer("LOG_FLUSH_MS", 20, 1, 1000, {
    about: "At most one commit of running replies each so many ms.",
  }),
  leaseRenewMs: integer("LEASE_RENEW_MS", 1000, 10, 60_000, {
    about: "How often the lease of running replies is renewed.",
  }),
  leaseTimeoutMs: integer("LEASE_TIMEOUT_MS", 3000, 20, 600_000, {
    about: "Silence after which the producer of a reply counts as dead.",
  }),
  replyRetentionMs: integer("REPLY_RETENTION_MS", 600_000, 0, 30 * days, {
    about: "How long a finished reply's stream can be resumed.",
  }),
  takeoverAttempts: integer("TAKEOVER_ATTEMPTS", 3, 0, 100, {
    about: "How often an orphaned reply is taken over; 0: it is never continued by itself.",
  }),
  drainMs: integer("DRAIN_MS", 2000, 0, 8000, { about: "How long requests are still served after SIGTERM." }),
  flags: overrides(
    "FLAGS",
    { ...FLAGS, ...TESTS },
    { about: "Other flags and tests for the page than the built-in ones: name=value separated by commas." },
  ),
  contactEmail: link("CONTACT_EMAIL", "email", { about: "Shown as contact; empty: hidden." }),
  termsUrl: link("TERMS_URL", "url", { about: "Terms of use; unset: the built-in page; empty: hidden." }),
  privacyUrl: link("PRIVACY_URL", "url", {
    about: "Privacy policy; unset: the built-in page; empty: hidden.",
  }),
  nativeBridge: identifier("NATIVE_BRIDGE", {
    about: "The object that an Android app injects into its web view for /feedback; unset: none.",
  }),
  logLevel: choice("LOG_LEVEL", ["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info", {
    about: "trace, debug, info, warn, error, fatal or silent.",
  }),
  metricsToken: optionalText("METRICS_TOKEN", {
    about: "/metrics answers only with this bearer token.",
    secret: true,
  }),
} satisfies Record<string, Setting<unknown>>;

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
  const only = <K extends keyof Values["flags"]>(names: Record<K, unknown>) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, value.flags[name as K]])) as Pick<
      Values["flags"],
      K
    >;
  const links = {
    contact_email: value.contactEmail,
    terms_of_use: value.termsUrl,
    privacy_policy: value.privacyUrl,
  };
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
    thinkingQuotaPerDay: value.thinkingQuotaPerDay,
    messagesPerMinute: value.messagesPerMinute,
    concurrentReplies: value.concurrentReplies,
    maxMessagesPerSession: value.maxMessagesPerSession,
    ocr: value.ocr,
    parseWorkers: value.parseWorkers,
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
    links: Object.fromEntries(
      Object.entries(links).filter((entry): entry is [string, string | null] => entry[1] !== undefined),
    ),
    nativeBridge: value.nativeBridge,
    logLevel: value.logLevel,
    metricsToken: value.metricsToken,
    production,
  });
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
