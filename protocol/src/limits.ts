// Every business constant of the product, unit in its name. Settings of the operator start from these.
// Chars = Unicode code points. Source: wire.md and the limits of the two specification documents.

export const LIMITS = {
  // Accounts
  emailChars: 254,
  passwordMinChars: 8,
  passwordMaxChars: 50,
  phoneDigits: 11,
  verificationCodeDigits: 6,
  deviceIdChars: 500,
  regionChars: 8,

  // Sessions
  titleChars: 32,
  deleteSessionsMax: 100,

  // Turns and replies
  clientStreamIdChars: 64,
  clientStreamLookupMax: 20,
  filesPerSession: 50,
  tokenBudget: 61_440,
  tokenBudgetSearch: 43_008,

  // Proof of work
  powExpiryOffsetMs: 60_000,
  powHeaderChars: 4096,

  // Bodies
  spanBodyBytes: 64 * 1024,

  // Event stream: UTF-16 code units a reader buffers for one frame
  streamFrameChars: 32 * 1024 * 1024,
} as const;
