// Every business constant of the product, unit in its name. Settings of the operator start from these.
// Chars = Unicode code points, Px = CSS pixels; a name without a unit is a count. Sources:
// docs/wire-contract.md and docs/requirements.tsv. Rate classes are settings of the server and live with it.

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY_SECS = 24 * 60 * 60;

export const LIMITS = {
  // Accounts
  emailChars: 254,
  passwordMinChars: 8,
  passwordMaxChars: 50,
  phoneDigits: 11,
  phoneUsageOptions: 4,
  deviceIdChars: 500,
  regionChars: 8,
  tokenChars: 64,
  tokenLifeSecs: 30 * DAY_SECS,
  freeTokensOffer: 5_000_000,
  ageGateFirstYear: 1900,
  ageGateMinYears: 13,
  currentUserRefetchMs: 20 * MINUTE,
  forgotPasswordRedirectMs: 3 * SECOND,

  // Verification codes and sign-in flows
  verificationCodeDigits: 6,
  verificationCodeLifeSecs: 10 * 60,
  verificationCodeTries: 5,
  codeSendWindowSecs: 60,
  codeScenarioChars: 32,
  nonceLifeSecs: 5 * 60,
  nonceChars: 43,
  oauthCookieLifeSecs: 10 * 60,
  bindingSignatureLifeSecs: 10 * 60,

  // Captcha and bot challenge
  captchaLifeSecs: 2 * 60,
  captchaTries: 3,
  captchaTolerancePx: 6,
  captchaWidthPx: 300,
  captchaHeightPx: 150,
  captchaTrackPoints: 500,
  captchaRidLifeSecs: 5 * 60,
  captchaLoadRetries: 2,
  captchaModalWidthPx: 336,
  clearanceLifeSecs: DAY_SECS,

  // Proof of work
  powDifficulty: 50_000,
  powDifficultyMax: 10_000_000,
  powChallengeLifeMs: 5 * MINUTE,
  powExpiryOffsetMs: MINUTE,
  powHeaderChars: 4096,

  // Sessions
  titleChars: 32,
  titleWaitMs: 3 * SECOND,
  titleLookAgainMs: 4 * SECOND,
  sessionPageDefault: 50,
  sessionPageMax: 100,
  pinnedSessionsMax: 20,
  idleSessionAskMs: 5 * SECOND,
  idleSessionSlowestMs: 1 * MINUTE,
  sessionListAskMs: 30 * SECOND,
  sessionListSlowestMs: 5 * MINUTE,
  deleteSessionsMax: 100,
  deleteAnswerMs: 6 * SECOND,
  emptySessionLifeSecs: DAY_SECS,
  deletedSessionMarkSecs: 30 * DAY_SECS,
  messagesPerSession: 1000,
  feedbackTagChars: 64,
  feedbackDescriptionChars: 1000,
  historyCacheVersion: 1,

  // Turns
  tokenBudget: 61_440,
  tokenBudgetSearch: 43_008,
  /** UTF-8 bytes of one prompt; no budget has room for more. */
  promptBytes: 400_000,
  /** UTF-8 bytes of prompts and answers in one session. */
  sessionBytes: 32 * MIB,
  clientStreamIdChars: 64,
  clientStreamIdRandomChars: 16,
  clientStreamLookupMax: 20,
  clientStreamLookupTries: 3,
  clientStreamLookupTimeoutMs: 3 * SECOND,
  clientStreamLookupPauseMs: 2 * SECOND,
  messagesPerMinute: 20,
  concurrentReplies: 2,
  thinkingQuotaPerDay: 50,
  /** Sent as `quota` where there is no limit. */
  quotaUnlimited: 2_147_483_647,

  // Replies on the server
  modelStallMs: MINUTE,
  localModelFirstTokenMs: 5 * MINUTE,
  replyProducingMs: 10 * MINUTE,
  /**
   * UTF-16 code units of text and reasoning in one reply, so that a model that never ends does not fill the disk. No
   * model writes a tenth of it. As a snapshot it still fits the one frame that a reader buffers (streamFrameChars), but for one
   * of which every third character must be escaped, such as endless empty lines: that one is read after its end.
   */
  replyChars: 24 * MIB,
  /** Without any text for so long since `ready`, the message is sent empty (wire-contract.md §4.5 S0). */
  emptySnapshotMs: 400,
  replyRetentionMs: 10 * MINUTE,
  /** Streams of one user that one process keeps open, in all and of one reply. */
  openStreams: 20,
  openStreamsPerReply: 8,
  leaseTimeoutMs: 3 * SECOND,
  takeOverWithinMs: 10 * SECOND,
  takeOverTries: 3,
  drainMs: 2 * SECOND,
  stopAnswerMs: 2 * SECOND,
  stopOwnerAnswerMs: SECOND,
  keepAliveMs: 10 * SECOND,
  keepAliveLessMs: 4 * SECOND,
  slowReaderBytes: 2 * MIB,
  slowReaderMs: 30 * SECOND,
  siteIconBytes: 8 * KIB,

  // Event stream in the client
  streamTimeoutMs: 10 * MINUTE,
  chunkGapMs: 70 * SECOND,
  chunkGapLessMs: 8 * SECOND,
  chunkCheckMs: 3 * SECOND,
  resumeReadyMs: 2 * SECOND,
  resumeBackoffFirstMs: 500,
  resumeBackoffMaxMs: 4 * SECOND,
  resumeForMs: MINUTE,
  stopReadOnMs: 2 * SECOND,
  stopBeforeDeleteMs: 6 * SECOND,
  parseErrorsBeforeReady: 2,
  parseErrorsLogged: 4,
  protocolViolationToastMs: 5 * SECOND,
  /** UTF-16 code units a reader buffers for one frame. */
  streamFrameChars: 32 * MIB,

  // Files
  filesPerSession: 50,
  fileBytes: 100 * MIB,
  fileNameChars: 255,
  fileIdsPerFetch: 100,
  /** UTF-8 bytes of the text of one file; no text of so many tokens as a budget has is as long. */
  fileTextBytes: 2 * MIB,
  uploadConcurrency: 3,
  filePollMs: 3 * SECOND,
  unattachedFileLifeSecs: 7 * DAY_SECS,
  previewUrlLifeSecs: 4 * 60 * 60,
  previewUrlReuseMs: 10 * MINUTE,
  fileRowNarrowPx: 616,
  fileRowNarrowColumns: 2,
  fileRowWideColumns: 3,

  // Shares and exports
  sharePageDefault: 20,
  sharePageMax: 100,
  sharesPerSession: 10,
  shareMessagesMax: 1000,
  shareIdChars: 18,
  exportLifeSecs: 7 * DAY_SECS,
  exportPollMs: 5 * SECOND,
  legacyExportDelayMs: SECOND,

  // Personas
  charactersMax: 20,
  characterNameChars: 32,
  characterGreetingChars: 500,
  characterInstructionsChars: 4000,
  characterAvatarChars: 2,

  // Bodies of requests
  jsonBodyBytes: 64 * KIB,
  promptBodyBytes: MIB,
  promptBodyValues: 10_000,
  jsonDepth: 64,
  bodyMs: 20 * SECOND,
  uploadExtraBytes: MIB,

  // Client: site
  hiddenPageRedirectMs: 6 * HOUR,
  versionFirstCheckMs: 5 * SECOND,
  versionCheckMs: HOUR,
  cookieChoiceDays: 365,
  scriptChunkTimeoutMs: 120 * SECOND,
  bodyRestores: 5,
  bodyRestoreWindowMs: SECOND,
  debugTaps: 5,
  debugTapsWindowMs: 2 * SECOND,
  logQueueEntries: 1000,

  // Client: screen
  breakpointsPx: { sm: 640, md: 768, lg: 1024, xl: 1280, "2xl": 1536, "3xl": 1920 },
  smallViewPx: 800,
  nearBottomPx: 300,
  horizontalScrollPx: 200,
  scrollbarPx: 8,
  scrollbarThumbMinPx: 24,
  avatarPx: 64,
  toastMs: 5 * SECOND,
  toastAnimationMs: 100,
  tooltipDelayMs: 300,
  tooltipTitleDelayMs: 500,
  tooltipOffsetPx: 8,
  tooltipArrowOffsetPx: 4,
  tooltipSmallOffsetPx: 4,
  tooltipEdgePx: 8,
  sidebarTransitionMs: 200,
  fadeMs: 100,
  panelFadeMs: 200,
  sessionListSkeletonDelayMs: 800,
  sessionListSkeletonMinMs: 500,
  sessionListSkeletonRows: 4,
  sessionSpinnerDelayMs: 500,
  sessionSpinnerMinMs: 200,
  titleAnimationMs: 400,
  copyFeedbackMs: SECOND,
  copyLinkFeedbackMs: 5 * SECOND,

  // Client: Markdown
  markdownMaxWaitMs: 2 * SECOND,
  markdownCacheEntries: 80,
  markdownCacheKept: 50,
  markdownZoom: 1.143,
  typingWindowChunks: 10,
  typingPreserveRate: 0.8,
  diagramPngScale: 3,
  /** UTF-16 code units of HTML that can be run; no page a model writes has a tenth of it. */
  runHtmlChars: 2 * MIB,
  codeNameHashDigits: 6,
  codeNameHashedChars: 2000,
} as const;
