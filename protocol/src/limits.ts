// Every business constant of the product, unit in its name. Settings of the operator start from these.
// Chars = Unicode code points, Px = CSS pixels; a name without a unit is a count. Sources:
// docs/wire-contract.md and docs/requirements.tsv. Rate classes are settings of the server and live with it. Some wait for
// the part that will use them, which knip.json lets pass.

/**
 * The same under one name. A namespace of single exports: the page is built with those that it uses, where of an object
 * it would get all.
 */
export * as LIMITS from "./limits.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY_SECS = 24 * 60 * 60;

// Accounts
export const emailChars = 254;
export const passwordMinChars = 8;
export const passwordMaxChars = 50;
export const phoneDigits = 11;
export const phoneUsageOptions = 4;
export const deviceIdChars = 500;
export const regionChars = 8;
export const tokenChars = 64;
export const tokenLifeSecs = 30 * DAY_SECS;
/** A token ends then, however much it is used. */
export const tokenMaxLifeSecs = 90 * DAY_SECS;
/** How long a token counts as its owner's own after a sign-in or a confirmation. */
export const identityConfirmedSecs = 10 * 60;
export const undoBindingLifeSecs = 72 * 60 * 60;
export const undoTokenChars = 1000;
export const freeTokensOffer = 5_000_000;
export const ageGateFirstYear = 1900;
export const ageGateMinYears = 13;
export const signInsListed = 100;
export const currentUserRefetchMs = 20 * MINUTE;
export const forgotPasswordRedirectMs = 3 * SECOND;

// Verification codes and sign-in flows
export const verificationCodeDigits = 6;
export const verificationCodeLifeSecs = 10 * 60;
export const verificationCodeTries = 5;
export const codeSendWindowSecs = 60;
export const codeScenarioChars = 32;
export const nonceLifeSecs = 5 * 60;
export const nonceChars = 43;
export const oauthCookieLifeSecs = 10 * 60;
export const bindingSignatureLifeSecs = 10 * 60;

// Captcha and bot challenge
export const captchaLifeSecs = 2 * 60;
export const captchaTries = 3;
export const captchaTolerancePx = 6;
export const captchaWidthPx = 300;
export const captchaHeightPx = 150;
export const captchaTrackPoints = 500;
export const captchaRidLifeSecs = 5 * 60;
export const captchaLoadRetries = 2;
export const captchaModalWidthPx = 336;
export const clearanceLifeSecs = DAY_SECS;

// Proof of work
export const powDifficulty = 50_000;
export const powDifficultyMax = 10_000_000;
export const powChallengeLifeMs = 5 * MINUTE;
export const powExpiryOffsetMs = MINUTE;
export const powHeaderChars = 4096;

// Sessions
export const titleChars = 32;
export const titleWaitMs = 3 * SECOND;
export const titleLookAgainMs = 4 * SECOND;
export const sessionPageDefault = 50;
export const sessionPageMax = 100;
export const searchQueryChars = 200;
export const searchPageDefault = 20;
export const searchPageMax = 50;
export const pinnedSessionsMax = 20;
export const idleSessionAskMs = 5 * SECOND;
export const idleSessionSlowestMs = 1 * MINUTE;
export const sessionListAskMs = 30 * SECOND;
export const sessionListSlowestMs = 5 * MINUTE;
export const deleteSessionsMax = 100;
export const deleteAnswerMs = 6 * SECOND;
export const emptySessionLifeSecs = DAY_SECS;
export const deletedSessionMarkSecs = 30 * DAY_SECS;
export const messagesPerSession = 1000;
export const feedbackTagChars = 64;
export const feedbackDescriptionChars = 1000;
export const historyCacheVersion = 1;

// Turns
export const tokenBudget = 61_440;
export const tokenBudgetSearch = 43_008;
/** UTF-8 bytes of one prompt; no budget has room for more. */
export const promptBytes = 400_000;
/** UTF-8 bytes of prompts and answers in one session. */
export const sessionBytes = 32 * MIB;
export const clientStreamIdChars = 64;
export const clientStreamIdRandomChars = 16;
export const clientStreamLookupMax = 20;
export const clientStreamLookupTries = 3;
export const clientStreamLookupTimeoutMs = 3 * SECOND;
export const clientStreamLookupPauseMs = 2 * SECOND;
export const messagesPerMinute = 20;
export const concurrentReplies = 2;
export const thinkingQuotaPerDay = 50;
/** Sent as `quota` where there is no limit. */
export const quotaUnlimited = 2_147_483_647;

// Replies on the server
export const modelStallMs = MINUTE;
export const localModelFirstTokenMs = 5 * MINUTE;
export const replyProducingMs = 10 * MINUTE;
/**
 * UTF-16 code units of text and reasoning in one reply, so that a model that never ends does not fill the disk. No
 * model writes a tenth of it. As a snapshot it still fits the one frame that a reader buffers (streamFrameChars), but for one
 * of which every third character must be escaped, such as endless empty lines: that one is read after its end.
 */
export const replyChars = 24 * MIB;
/** Without any text for so long since `ready`, the message is sent empty (wire-contract.md §4.5 S0). */
export const emptySnapshotMs = 400;
export const replyRetentionMs = 10 * MINUTE;
/** Streams of one user that one process keeps open, in all and of one reply. */
export const openStreams = 20;
export const openStreamsPerReply = 8;
export const leaseTimeoutMs = 3 * SECOND;
export const takeOverWithinMs = 10 * SECOND;
export const takeOverTries = 3;
export const drainMs = 2 * SECOND;
export const stopAnswerMs = 2 * SECOND;
export const stopOwnerAnswerMs = SECOND;
export const keepAliveMs = 10 * SECOND;
export const keepAliveLessMs = 4 * SECOND;
export const slowReaderBytes = 2 * MIB;
export const slowReaderMs = 30 * SECOND;
export const siteIconBytes = 8 * KIB;

// Event stream in the client
export const streamTimeoutMs = 10 * MINUTE;
export const chunkGapMs = 70 * SECOND;
export const chunkGapLessMs = 8 * SECOND;
export const chunkCheckMs = 3 * SECOND;
export const resumeReadyMs = 2 * SECOND;
export const resumeBackoffFirstMs = 500;
export const resumeBackoffMaxMs = 4 * SECOND;
export const resumeForMs = MINUTE;
export const stopReadOnMs = 2 * SECOND;
export const stopBeforeDeleteMs = 6 * SECOND;
export const parseErrorsBeforeReady = 2;
export const parseErrorsLogged = 4;
export const protocolViolationToastMs = 5 * SECOND;
/** UTF-16 code units a reader buffers for one frame. */
export const streamFrameChars = 32 * MIB;

// Files
export const filesPerSession = 50;
export const fileBytes = 100 * MIB;
export const fileNameChars = 255;
export const fileIdsPerFetch = 100;
/** UTF-8 bytes of the text of one file; no text of so many tokens as a budget has is as long. */
export const fileTextBytes = 2 * MIB;
export const uploadConcurrency = 3;
/** Files of one user that wait for their reading; over it the user's uploads are refused. */
export const filesToReadOfUser = 100;
/** Of everybody: over it uploads of users who have a file waiting are refused. */
export const filesToRead = 2000;
/** Of everybody: over it all uploads are refused, because each look for the next file goes through all that wait. */
export const filesToReadAtMost = 5000;
export const filePollMs = 3 * SECOND;
export const unattachedFileLifeSecs = 7 * DAY_SECS;
export const previewUrlLifeSecs = 4 * 60 * 60;
export const previewUrlReuseMs = 10 * MINUTE;
export const fileRowNarrowPx = 616;
export const fileRowNarrowColumns = 2;
export const fileRowWideColumns = 3;

// Shares and exports
export const sharePageDefault = 20;
export const sharePageMax = 100;
export const sharesPerSession = 10;
export const shareMessagesMax = 1000;
export const shareIdChars = 18;
export const clientForkIdChars = 64;
/** How long the repeat of a request to continue a share is known as one. */
export const forkKnownSecs = 7 * DAY_SECS;
export const exportLifeSecs = 7 * DAY_SECS;
export const exportPollMs = 5 * SECOND;
export const legacyExportDelayMs = SECOND;

// Imports
export const importPollMs = SECOND;
export const importLifeSecs = 7 * DAY_SECS;
/** Conversations of one import. */
export const importSessions = 10_000;
/** Bytes that the JSON of one upload may unpack to, and those of one conversation in it. */
export const importUnpackedBytes = 512 * MIB;
export const importSessionBytes = 64 * MIB;
/** UTF-8 bytes of all that one import keeps, and of one message. */
export const importKeptBytes = 256 * MIB;
export const importMessageBytes = 8 * MIB;
/** Conversations that were left out and are named, for each reason. */
export const importNamed = 20;

// Personas
export const charactersMax = 20;
export const characterNameChars = 32;
export const characterGreetingChars = 500;
export const characterInstructionsChars = 4000;
export const characterAvatarChars = 2;

// Bodies of requests
export const jsonBodyBytes = 64 * KIB;
export const promptBodyBytes = MIB;
export const promptBodyValues = 10_000;
export const jsonDepth = 64;
export const bodyMs = 20 * SECOND;
export const uploadExtraBytes = MIB;
export const uploadMs = 30 * MINUTE;

// Client: site
export const hiddenPageRedirectMs = 6 * HOUR;
export const versionFirstCheckMs = 5 * SECOND;
export const versionCheckMs = HOUR;
export const cookieChoiceDays = 365;
export const scriptChunkTimeoutMs = 120 * SECOND;
export const bodyRestores = 5;
export const bodyRestoreWindowMs = SECOND;
export const debugTaps = 5;
export const debugTapsWindowMs = 2 * SECOND;
export const logQueueEntries = 1000;

// Client: screen
export const breakpointsPx = { sm: 640, md: 768, lg: 1024, xl: 1280, "2xl": 1536, "3xl": 1920 } as const;
export const smallViewPx = 800;
export const nearBottomPx = 300;
export const horizontalScrollPx = 200;
export const scrollbarPx = 8;
export const scrollbarThumbMinPx = 24;
export const avatarPx = 64;
export const toastMs = 5 * SECOND;
export const toastAnimationMs = 100;
export const tooltipDelayMs = 300;
export const tooltipTitleDelayMs = 500;
export const tooltipOffsetPx = 8;
export const tooltipArrowOffsetPx = 4;
export const tooltipSmallOffsetPx = 4;
export const tooltipEdgePx = 8;
export const sidebarTransitionMs = 200;
export const fadeMs = 100;
export const panelFadeMs = 200;
export const sessionListSkeletonDelayMs = 800;
export const sessionListSkeletonMinMs = 500;
export const sessionListSkeletonRows = 4;
export const sessionSpinnerDelayMs = 500;
export const sessionSpinnerMinMs = 200;
export const titleAnimationMs = 400;
export const copyFeedbackMs = SECOND;
export const copyLinkFeedbackMs = 5 * SECOND;

// Client: Markdown
export const markdownMaxWaitMs = 2 * SECOND;
export const markdownCacheEntries = 80;
export const markdownCacheKept = 50;
export const markdownZoom = 1.143;
export const typingWindowChunks = 10;
export const typingPreserveRate = 0.8;
export const diagramPngScale = 3;
/** UTF-16 code units of HTML that can be run; no page a model writes has a tenth of it. */
export const runHtmlChars = 2 * MIB;
export const codeNameHashDigits = 6;
export const codeNameHashedChars = 2000;
