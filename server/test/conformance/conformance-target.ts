// What the suite is told of the server that it is held against, and what must have been arranged around it.

export interface BesideServer {
  origin: string;
  close(): Promise<void>;
}

export interface ConformanceTarget {
  /** Where the server, or the balancer before several of them, is found: without a slash at the end. */
  origin: string;
  /** How many processes answer there: each counts the calls of the class `api` by itself. */
  processes: number;
  /** The last verification code that was sent to an address. */
  codeFor(email: string): string;
  model: {
    /** Lets all held replies go on. */
    release(): void;
    /** How often a reply to exactly this prompt was asked for. */
    callsFor(prompt: string): number;
  };
  /** As an operator does. */
  mute(email: string, until: Date): Promise<void>;
  ban(email: string): Promise<void>;
  /** As time does, all that the server keeps of an ended reply: what is left of those of a session are their messages. */
  outdate(sessionId: string): Promise<void>;
  /** Another server of the same make beside it, with `settings` besides its own, for as long as a few cases take. */
  startBeside(settings: Readonly<Record<string, string>>): Promise<BesideServer>;
  /** As a filter does: the message may not be edited any more. */
  banEdit(sessionId: string, messageId: number): Promise<void>;
}

/** Settings that the suite relies on; all others are as shipped. Limits by address are wide: the suite has one. */
export const conformanceSettings = {
  RATE_LIMITS: [
    "guest_ip_minute=1000000",
    "code_ip_hour=1000000",
    "login_ip_minute=1000000",
    "public_ip_minute=1000000",
    "share_content_ip_minute=1000000",
    "any_ip_minute=1000000",
    "unknown_token_ip_minute=1000000",
  ].join(","),
  MESSAGES_PER_MINUTE: "60",
  CONCURRENT_REPLIES: "2",
  MAX_MESSAGES_PER_SESSION: "12",
  THINKING_QUOTA_PER_DAY: "3",
  MODELS: "small=A small one,large=A large one",
  POW_DIFFICULTY: "20",
  POW_DIFFICULTY_UPLOAD: "20",
  POW_DIFFICULTY_GUEST: "20",
} as const;

/** What the model does with a prompt that holds the mark. `at` counts characters of thought and answer. */
export interface MarkedPrompt {
  mark: string;
  answer: string;
  thought?: string;
  /** Waits there until `release`, or until it is given up. */
  holdAt?: number;
  /** Breaks there with an error. */
  breakAt?: number;
  /** Answers with this HTTP status and nothing else. */
  status?: number;
  /** Says why it ended; stop when absent. */
  finishReason?: "length" | "content_filter";
}

const words = "One two three four five six seven eight nine ten.";

/** Every prompt without a mark is answered with `plainAnswer`. */
export const plainAnswer = "Plain words, 你好 and 🙂.";
export const markedPrompts: readonly MarkedPrompt[] = [
  { mark: "(held)", answer: words, holdAt: 20 },
  { mark: "(held before)", answer: words, holdAt: 0 },
  { mark: "(thinks)", answer: words, thought: "Let me see. Yes." },
  { mark: "(held in thought)", answer: words, thought: "Let me see. Yes.", holdAt: 12 },
  { mark: "(breaks)", answer: words, breakAt: 20 },
  { mark: "(fails)", answer: words, status: 500 },
  { mark: "(busy)", answer: words, status: 503 },
  { mark: "(limited)", answer: words, status: 429 },
  { mark: "(too long)", answer: words, finishReason: "length" },
  { mark: "(withdrawn)", answer: words, finishReason: "content_filter" },
];
