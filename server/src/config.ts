// The only reader of process.env: one frozen, typed object; all problems are told together.

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
  };
  thinkingQuotaPerDay: number;
  messagesPerMinute: number;
  concurrentReplies: number;
  maxMessagesPerSession: number;
  powDifficulty: { chat: number; upload: number; guest: number };
  /** Numbers by class name, or "off". */
  rateLimits: Record<string, number> | "off";
  logFlushMs: number;
  leaseRenewMs: number;
  leaseTimeoutMs: number;
  replyRetentionMs: number;
  takeoverAttempts: number;
  drainMs: number;
  links: Record<string, string | null>;
  logLevel: string;
  metricsToken: string | null;
  production: boolean;
}
