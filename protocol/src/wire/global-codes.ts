// Codes any call can answer (wire-contract.md §18.1): `code`, `msg` and the HTTP status they travel with.
export interface GlobalCode {
  readonly code: number;
  readonly msg: string;
  readonly status: number;
}

const define = (code: number, msg: string, status = 200): GlobalCode => ({ code, msg, status });

export const Global = {
  Ok: define(0, ""),
  MissingToken: define(40002, "MISSING_TOKEN"),
  InvalidToken: define(40003, "INVALID_TOKEN"),
  UserIsBanned: define(40012, "USER_IS_BANNED"),
  MobileNotVerified: define(40013, "MOBILE_NOT_VERIFIED"),
  AccountUnderReview: define(40014, "ACCOUNT_UNDER_REVIEW"),
  BirthdayRequired: define(40015, "BIRTHDAY_REQUIRED"),
  IpAccessRestricted: define(40029, "IP_ACCESS_RESTRICTED", 429),
  PowHeaderError: define(40300, "POW_HEADER_ERROR"),
  InvalidPowResponse: define(40301, "INVALID_POW_RESPONSE"),
  BotChallenge: define(40310, "BOT_CHALLENGE", 403),
  NotFound: define(40400, "NOT_FOUND", 404),
  MethodNotAllowed: define(40500, "METHOD_NOT_ALLOWED", 405),
  LinkExpired: define(41000, "LINK_EXPIRED", 410),
  BodyTooLarge: define(41300, "BODY_TOO_LARGE", 413),
  InvalidParams: define(42200, "INVALID_PARAMS", 422),
  RateLimitReached: define(42900, "RATE_LIMIT_REACHED", 429),
  RpdRateLimitReached: define(42901, "RPD_RATE_LIMIT_REACHED", 429),
  TooManyConcurrentRequests: define(42902, "TOO_MANY_CONCURRENT_REQUESTS", 429),
  OperationTooFrequent: define(42903, "OPERATION_TOO_FREQUENT", 429),
  ServerBusy: define(42905, "SERVER_BUSY", 429),
  InternalError: define(50000, "INTERNAL_ERROR", 500),
  ServiceUnavailable: define(50300, "SERVICE_UNAVAILABLE", 503),
  UserIsMuted: define(50006, "USER_IS_MUTED"),
} as const;
