// Every setting of the operator: its name, its default, what is allowed, and a line for .env.example. config.ts reads them.
import { LIMITS } from "@plumb/protocol/limits";
import {
  addressList,
  choice,
  domains,
  exactUrl,
  host,
  identifier,
  integer,
  limits,
  list,
  mailSender,
  namedIds,
  optionalInteger,
  optionalChoice,
  optionalText,
  optionalOrigin,
  optionalUrl,
  originList,
  overrides,
  perLocale,
  programScheme,
  regions,
  requiredText,
  type Setting,
} from "./platform/setting.ts";

const days = 24 * 60 * 60 * 1000;
const web = ["http", "https"] as const;

/** Flags and tests of wire-contract.md §6.1 with their defaults. */
export const FLAGS = {
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
export const TESTS = {
  share_by_link: true,
  show_new_chat_button_above_input: true,
  human_check: false,
  auto_resume_timeout_ms: LIMITS.resumeReadyMs,
};

/** Great Britain, the United States and the member states of the EU (requirements 0§9). */
const COOKIE_BANNER_REGIONS =
  "GB US AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** Every setting, in the order of .env.example. */
export const settings = {
  port: integer("PORT", 3000, 0, 65_535, { about: "Where to listen; 0 takes a free port." }),
  host: host("HOST", "127.0.0.1", {
    about: "The address to listen on; 0.0.0.0 lets other devices of your network in.",
  }),
  publicUrl: optionalOrigin("PUBLIC_URL", { about: "The address people use; unset: http://HOST:PORT." }),
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
  requireMobile: choice("REQUIRE_MOBILE", ["off", "on"], "off", {
    about: "on: people must verify a phone number before they can write.",
  }),
  freeTokensOffer: integer("FREE_TOKENS_OFFER", 0, 0, 1_000_000_000, {
    about: "Tokens that people are promised when asked to verify a phone number; 0: none are spoken of.",
  }),
  minAge: optionalInteger("MIN_AGE", 1, 120, {
    about: "The age gate: people must be so many years old; unset: nobody is asked.",
  }),
  captcha: optionalChoice("CAPTCHA", ["none", "slide", "turnstile", "hcaptcha", "shumei"], {
    about:
      "What people pass before a code is sent: none, slide (our own), turnstile, hcaptcha or shumei; unset: none, and slide in the mainland edition.",
  }),
  captchaSiteKey: optionalText("CAPTCHA_SITE_KEY", {
    about: "The key of this site, for turnstile and hcaptcha.",
  }),
  captchaSecret: optionalText("CAPTCHA_SECRET", {
    about: "Its secret; Shumei's access key.",
    secret: true,
  }),
  captchaOrganization: optionalText("CAPTCHA_ORGANIZATION", { about: "Your organization at Shumei." }),
  captchaAppId: optionalText("CAPTCHA_APP_ID", { about: "Your application at Shumei; unset: default." }),
  captchaRegion: choice("CAPTCHA_REGION", ["CN", "US", "SG", "GLOBAL"], "CN", {
    about: "Where Shumei and the support messenger are asked: CN, US, SG or GLOBAL.",
  }),
  captchaScriptUrl: optionalUrl("CAPTCHA_SCRIPT_URL", web, {
    about: "The captcha's script for pages; unset: the service's own.",
  }),
  captchaVerifyUrl: optionalUrl("CAPTCHA_VERIFY_URL", web, {
    about: "Where an answer is verified; unset: at the service itself.",
  }),
  botChallenge: choice("BOT_CHALLENGE", ["off", "suspects", "all"], "off", {
    about:
      "Who passes a captcha before anything is answered, good for a day: off (nobody), suspects (addresses that keep asking beyond the limits) or all; of CAPTCHA, else our own.",
  }),
  wechatAppId: optionalText("WECHAT_APP_ID", { about: "Signing in with WeChat; unset: none." }),
  wechatAppSecret: optionalText("WECHAT_APP_SECRET", {
    about: "Its secret. WeChat has to know the domain of PUBLIC_URL/oauth/wechat/callback.",
    secret: true,
  }),
  wechatBaseUrl: optionalUrl("WECHAT_BASE_URL", web, {
    about: "Where WeChat is asked; unset: WeChat itself.",
  }),
  wechatLoginUrl: optionalUrl("WECHAT_LOGIN_URL", web, {
    about: "Its page with the QR code; unset: WeChat's own.",
  }),
  googleClientId: optionalText("GOOGLE_CLIENT_ID", {
    about: "Signing in with Google, or another OpenID Connect provider; unset: none.",
  }),
  googleClientSecret: optionalText("GOOGLE_CLIENT_SECRET", {
    about: "Its secret. The provider has to know the address PUBLIC_URL/api/v0/users/oauth/google/callback.",
    secret: true,
  }),
  googleIssuer: exactUrl("GOOGLE_ISSUER", "https://accounts.google.com", web, {
    about: "The provider, as it names itself.",
  }),
  smtpUrl: optionalUrl("SMTP_URL", ["smtp", "smtps"], {
    about: "The mail server, smtp://user:password@host:587; unset: mail goes to the outbox.",
    secret: true,
  }),
  mailFrom: mailSender("MAIL_FROM", {
    about: "What mail comes from: an address, or a name with an address in angle brackets.",
  }),
  smsWebhookUrl: optionalUrl("SMS_WEBHOOK_URL", web, {
    about: "Your gateway for text messages, which gets signed JSON; unset: they go to the outbox.",
    secret: true,
  }),
  smsWebhookSecret: optionalText("SMS_WEBHOOK_SECRET", { about: "Signs what it gets.", secret: true }, 16),
  phoneRegions: regions("PHONE_REGIONS", ["CN"], {
    about: "Regions that may sign up or in by text message, separated by commas; * for all.",
  }),
  mainlandEmailSignUp: choice("MAINLAND_EMAIL_SIGN_UP", ["on", "off"], "on", {
    about:
      "off: who comes from mainland China signs up by phone alone, in the international edition too; takes a gateway for text messages.",
  }),
  signUp: choice("SIGN_UP", ["open", "invitation", "closed"], "open", {
    about: "Who may sign up: open, invitation (npm run operator -- invite) or closed.",
  }),
  emailDomains: domains("EMAIL_DOMAINS", {
    about:
      "The domains of e-mail addresses that may sign up, separated by commas; unset: all. Whoever is invited may have any.",
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
    about:
      "Uploaded documents that are read at once, each in a process of its own; one user's are one less, where it is several. One more is read where all take long.",
  }),
  storageQuotaMb: integer("STORAGE_QUOTA_MB", 10_240, 0, 100_000_000, {
    about:
      "Megabytes that are stored per user: chats, copies of shared chats, imports, files and their texts, the last export. Over it, uploads, imports and copies are refused, and reading, deleting and chatting go on; 0: no limit.",
  }),
  fileQuotaMb: integer("FILE_QUOTA_MB", 0, 0, 100_000_000, {
    about:
      "Megabytes of files alone that are kept per user, within STORAGE_QUOTA_MB; 0: no limit of their own.",
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
      "code_requester_day",
      "code_known_day",
      "code_ip_hour",
      "guest_ip_minute",
      "login_ip_minute",
      "public_ip_minute",
      "share_content_ip_minute",
      "any_ip_minute",
      "unknown_token_ip_minute",
      "refused_ip_hour",
      "api_user_minute",
      "repeat_user_minute",
      "upload_user_hour",
      "share_user_hour",
      "message_server_hour",
    ],
    {
      about:
        "Other limits than the built-in ones: name=number separated by commas, such as message_server_hour=600, the mails and texts of the whole server per hour; off switches them off, for tests, but for those of wrong passwords, wrong codes and messages.",
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
    about:
      "At most one commit of running replies each so many ms; what a reply waits for between two steps goes at once.",
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
  contactEmail: perLocale("CONTACT_EMAIL", "email", {
    about: "Shown as contact. Like all links, one per language: zh_CN=…|en_US=…",
  }),
  termsUrl: perLocale("TERMS_URL", "url", {
    about: "Terms of use; unset: the built-in page of the edition; empty: hidden.",
  }),
  privacyUrl: perLocale("PRIVACY_URL", "url", {
    about: "Privacy policy; unset: the built-in page of the edition; empty: hidden.",
  }),
  openPlatformUrl: perLocale("OPEN_PLATFORM_URL", "url", {
    about: "The open platform, for who builds on it.",
  }),
  openPlatformTermsUrl: perLocale("OPEN_PLATFORM_TERMS_URL", "url", { about: "Its terms." }),
  thirdPartySharingUrl: perLocale("THIRD_PARTY_SHARING_URL", "url", {
    about: "What is passed on to third parties.",
  }),
  accountDeletionUrl: perLocale("ACCOUNT_DELETION_URL", "url", {
    about: "A notice about deleting one's account.",
  }),
  appPermissionsUrl: perLocale("APP_PERMISSIONS_URL", "url", { about: "What the mobile apps may do." }),
  faqUrl: perLocale("FAQ_URL", "url", { about: "Questions and answers, also for who is banned." }),
  icpText: perLocale("ICP_TEXT", "text", { about: "The ICP filing number, in the footer." }),
  icpUrl: perLocale("ICP_URL", "url", { about: "Where the ICP filing can be looked up." }),
  filingText: perLocale("FILING_TEXT", "text", { about: "The public security filing, in the footer." }),
  wechatQrUrl: perLocale("WECHAT_QR_URL", "url", {
    about: "A picture of the WeChat QR code, in the footer.",
  }),
  supportUrl: optionalUrl("SUPPORT_URL", web, {
    about: "The script of a support messenger of Intercom's interface, loaded when help is first asked for.",
  }),
  supportAppId: optionalText("SUPPORT_APP_ID", {
    about: "The messenger's app identifier; without it there is none.",
  }),
  downloadIosUrl: optionalUrl("DOWNLOAD_IOS_URL", web, { about: "The app in the App Store." }),
  downloadAndroidUrl: optionalUrl("DOWNLOAD_ANDROID_URL", web, { about: "The app for Android." }),
  downloadPageUrl: optionalUrl("DOWNLOAD_PAGE_URL", web, {
    about: "A page that leads to the apps; without any of these three nobody is told of apps.",
  }),
  allowedOrigins: originList("ALLOWED_ORIGINS", {
    about: "Other origins whose pages may call the API, separated by commas.",
  }),
  ipRegions: choice("IP_REGIONS", ["builtin", "off"], "builtin", {
    about:
      "builtin: the region of an address is looked up in the table that comes along; off: all have the edition's.",
  }),
  cookieBannerRegions: list(
    "COOKIE_BANNER_REGIONS",
    COOKIE_BANNER_REGIONS,
    {
      fits: (item) => /^(?:[A-Z]{2}|none)$/u.test(item),
      allowed: "regions such as GB, separated by commas, or none",
    },
    { about: "Regions whose visitors are asked about cookies; none: nobody is." },
  ),
  analyticsUrl: optionalUrl("ANALYTICS_URL", web, {
    about: "The script of an analytics service; unset: nothing is loaded, and nobody is counted.",
  }),
  errorReportUrl: optionalUrl("ERROR_REPORT_URL", web, {
    about: "Where pages post what went wrong in them, as JSON without addresses and numbers of people.",
  }),
  spanReports: choice("SPAN_REPORTS", ["on", "off"], "off", {
    about: "on: pages report how they were used to client/span, and the server logs it.",
  }),
  deviceFingerprint: choice("DEVICE_FINGERPRINT", ["on", "off"], "off", {
    about: "on: pages tell sign-in which device they are on, by a library that comes along.",
  }),
  unsafeWrappers: list(
    "UNSAFE_WRAPPERS",
    [],
    {
      fits: (item) => item !== "" && item.length <= 100,
      allowed: "parts of user agents, separated by commas",
    },
    { about: "Parts of the user agents of desktop programs whose users are warned." },
  ),
  desktopScheme: programScheme("DESKTOP_SCHEME", {
    about: "The scheme of links by which an own desktop app hears of a sign-in; unset: none.",
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
